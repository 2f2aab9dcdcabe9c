#pragma once

// The extension points that this host knows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::host {

// In the order in which a pod passes them. The numbers are indices of tables in this program; files
// and plugins use the ids.
enum class Point : uint8_t {
  kPreEnqueue,
  kQueueSort,
  kHints,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
  kOverlayState,
};

inline constexpr size_t kPointCount = 14;
static_assert(static_cast<size_t>(Point::kOverlayState) + 1 == kPointCount);

std::string_view point_id(Point point);    // with its current revision: "berth.filter/0"
std::string_view point_name(Point point);  // for people: "Filter"

}  // namespace berth::host
