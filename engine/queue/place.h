#pragma once

#include <cstddef>
#include <cstdint>

namespace berth::queue {

enum class Place : uint8_t {
  kNone,  // unknown to the queue
  kActive,
  kBackoff,
  kErrorBackoff,
  kUnschedulable,
  kGated,
  kInFlight,     // popped; may be refused by a plugin
  kPastRefusal,  // popped; no plugin can refuse it any more
};
inline constexpr size_t kPlaces = 8;

}  // namespace berth::queue
