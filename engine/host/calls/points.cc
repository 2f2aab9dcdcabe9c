#include "engine/host/calls/points.h"

#include "engine/host/calls/revisions.h"

namespace berth::host {
namespace {

constexpr std::array<std::string_view, kPointCount> kNames = {
    "PreEnqueue", "QueueSort", "Hints",  "PreFilter", "Filter", "PostFilter", "PreScore",
    "Score",      "Reserve",   "Permit", "PreBind",   "Bind",   "PostBind",   "OverlayState"};

}  // namespace

std::string_view point_id(Point point) {
  for (const Revision& revision : host_revisions())
    if (revision.point == point) return revision.id;
  return {};
}

std::string_view point_name(Point point) { return kNames[static_cast<size_t>(point)]; }

}  // namespace berth::host
