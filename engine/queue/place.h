#pragma once

#include <array>
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
  kInFlight,     // popped; events count for it
  kPastRefusal,  // popped; if it comes back, it backs off
};
inline constexpr size_t kPlaces = 8;

// The places that may follow each place, as bits by number of the place. A pod that goes from one
// queue to another is at kNone between them.
class FollowingPlaces {
 public:
  constexpr FollowingPlaces() {
    using enum Place;
    of(kNone) =
        bit(kActive) | bit(kBackoff) | bit(kErrorBackoff) | bit(kUnschedulable) | bit(kGated);
    of(kActive) = of(kBackoff) = bit(kNone) | bit(kInFlight);
    of(kErrorBackoff) = of(kUnschedulable) = of(kGated) = of(kPastRefusal) = bit(kNone);
    of(kInFlight) = bit(kNone) | bit(kPastRefusal);
  }
  constexpr bool may_follow(Place before, Place after) const {
    return (followers_[static_cast<size_t>(before)] & bit(after)) != 0;
  }

 private:
  static constexpr uint32_t bit(Place place) { return 1u << static_cast<uint32_t>(place); }
  constexpr uint32_t& of(Place place) { return followers_[static_cast<size_t>(place)]; }

  std::array<uint32_t, kPlaces> followers_{};
};
inline constexpr FollowingPlaces kFollowingPlaces;

}  // namespace berth::queue
