#pragma once

// The extension points of the scheduling framework, by their names in configurations.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::config {

enum class Point : uint8_t {
  kPreEnqueue,
  kQueueSort,
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
};

inline constexpr size_t kPointCount = 12;

// All points, in the order in which a pod passes them.
inline constexpr std::array<Point, kPointCount> kPoints = {
    Point::kPreEnqueue, Point::kQueueSort, Point::kPreFilter, Point::kFilter,
    Point::kPostFilter, Point::kPreScore,  Point::kScore,     Point::kReserve,
    Point::kPermit,     Point::kPreBind,   Point::kBind,      Point::kPostBind,
};

// The key below `plugins` in a configuration: "preFilter".
std::string_view point_name(Point point);

// The type of the point's plugins in kube-scheduler's messages: "PreFilterPlugin".
std::string_view point_plugin_type(Point point);

constexpr size_t point_index(Point point) { return static_cast<size_t>(point); }

static_assert(point_index(kPoints.back()) + 1 == kPointCount);

}  // namespace berth::config
