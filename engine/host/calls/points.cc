#include "engine/host/calls/points.h"

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/overlay.h"
#include "berth/abi/score.h"

namespace berth::host {
namespace {

struct PointText {
  std::string_view id;
  std::string_view name;
};

constexpr std::array<PointText, kPointCount> kTexts = {{
    {BERTH_PRE_ENQUEUE, "PreEnqueue"},
    {BERTH_QUEUE_SORT, "QueueSort"},
    {BERTH_HINTS, "Hints"},
    {BERTH_PRE_FILTER, "PreFilter"},
    {BERTH_FILTER, "Filter"},
    {BERTH_POST_FILTER, "PostFilter"},
    {BERTH_PRE_SCORE, "PreScore"},
    {BERTH_SCORE, "Score"},
    {BERTH_RESERVE, "Reserve"},
    {BERTH_PERMIT, "Permit"},
    {BERTH_PRE_BIND, "PreBind"},
    {BERTH_BIND, "Bind"},
    {BERTH_POST_BIND, "PostBind"},
    {BERTH_OVERLAY_STATE, "OverlayState"},
}};

}  // namespace

std::string_view point_id(Point point) { return kTexts[static_cast<size_t>(point)].id; }

std::string_view point_name(Point point) { return kTexts[static_cast<size_t>(point)].name; }

std::optional<Point> find_point(std::string_view id) {
  for (size_t i = 0; i < kPointCount; ++i) {
    if (kTexts[i].id == id) return static_cast<Point>(i);
  }
  return std::nullopt;
}

}  // namespace berth::host
