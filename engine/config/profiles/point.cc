#include "engine/config/profiles/point.h"

namespace berth::config {
namespace {

struct PointNames {
  std::string_view key;
  std::string_view plugin_type;
};

constexpr std::array<PointNames, kPointCount> kNames = {{
    {"preEnqueue", "PreEnqueuePlugin"},
    {"queueSort", "QueueSortPlugin"},
    {"preFilter", "PreFilterPlugin"},
    {"filter", "FilterPlugin"},
    {"postFilter", "PostFilterPlugin"},
    {"preScore", "PreScorePlugin"},
    {"score", "ScorePlugin"},
    {"reserve", "ReservePlugin"},
    {"permit", "PermitPlugin"},
    {"preBind", "PreBindPlugin"},
    {"bind", "BindPlugin"},
    {"postBind", "PostBindPlugin"},
}};

}  // namespace

std::string_view point_name(Point point) { return kNames[point_index(point)].key; }

std::string_view point_plugin_type(Point point) { return kNames[point_index(point)].plugin_type; }

}  // namespace berth::config
