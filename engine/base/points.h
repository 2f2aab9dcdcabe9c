#pragma once

// The extension points of the scheduling framework: what configurations, messages, metrics and the
// engine know of each. The host's part, ids and tables of the ABI, is in
// host/calls/checked_calls.h.
//
// The table is in `base` because configurations and the host both use it: configurations may not
// use the ABI, and names in configurations are no part of the contract with plugins.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// In the order in which a pod passes them; the last two are about other pods. The numbers are
// indices of tables in this program; files and plugins use names and ids.
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
  kObserve,
};

struct PointInfo {
  Point point;
  std::string_view name;  // for people: "PreFilter"
  // The key below `plugins` in a configuration, which multiPoint enables, too: "preFilter". Empty:
  // a plugin that is enabled anywhere is called at the point.
  std::string_view key;
  bool v1_only;  // kube-scheduler drops the key from former versions of configurations
  bool refuses;  // plugins may refuse pods, and are then asked for hints
  bool kept;     // answers are kept, unless they depend on what the engine does not see
};

inline constexpr PointInfo kPoints[] = {
    // point, name, key, v1_only, refuses, kept
    {Point::kPreEnqueue, "PreEnqueue", "preEnqueue", true, true, false},
    {Point::kQueueSort, "QueueSort", "queueSort", false, false, false},
    {Point::kHints, "Hints", "", false, false, false},
    {Point::kPreFilter, "PreFilter", "preFilter", false, true, true},
    {Point::kFilter, "Filter", "filter", false, true, true},
    {Point::kPostFilter, "PostFilter", "postFilter", false, false, false},
    {Point::kPreScore, "PreScore", "preScore", false, false, true},
    {Point::kScore, "Score", "score", false, false, true},
    {Point::kReserve, "Reserve", "reserve", false, true, false},
    {Point::kPermit, "Permit", "permit", false, true, false},
    {Point::kPreBind, "PreBind", "preBind", false, false, false},
    {Point::kBind, "Bind", "bind", false, false, false},
    {Point::kPostBind, "PostBind", "postBind", false, false, false},
    {Point::kOverlayState, "OverlayState", "", false, false, true},
    {Point::kObserve, "Observe", "", false, false, false},
};

inline constexpr size_t kPointCount = std::size(kPoints);

constexpr size_t point_index(Point point) { return static_cast<size_t>(point); }
constexpr const PointInfo& point_info(Point point) { return kPoints[point_index(point)]; }
constexpr std::string_view point_name(Point point) { return point_info(point).name; }

static_assert([] {
  for (size_t i = 0; i < kPointCount; ++i)
    if (point_index(kPoints[i].point) != i) return false;
  return kPointCount == point_index(Point::kObserve) + 1;
}());

// Those with a key, in order.
inline constexpr auto kConfiguredPoints = [] {
  constexpr size_t kCount = [] {
    size_t count = 0;
    for (const PointInfo& info : kPoints) count += info.key.empty() ? 0 : 1;
    return count;
  }();
  std::array<Point, kCount> points{};
  size_t count = 0;
  for (const PointInfo& info : kPoints)
    if (!info.key.empty()) points[count++] = info.point;
  return points;
}();

// A value for each point, in order.
template <typename T>
struct PerPoint : std::array<T, kPointCount> {
  constexpr T& operator[](Point point) { return this->begin()[point_index(point)]; }
  constexpr const T& operator[](Point point) const { return this->begin()[point_index(point)]; }
};

// A plugin at a point.
struct PluginAt {
  std::string name;
  // At kScore never 0, and negative if configured so; elsewhere 0.
  int32_t weight = 0;

  bool operator==(const PluginAt&) const = default;
};

// The plugins of a profile, in the order of calls.
using PluginsByPoint = PerPoint<std::vector<PluginAt>>;

}  // namespace berth
