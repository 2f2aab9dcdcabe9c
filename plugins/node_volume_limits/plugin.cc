#include "berth/sdk/services/signing.hpp"
#include "plugins/node_volume_limits/hints.h"

namespace berth::plugins {

using NodeVolumeLimits =
    sdk::HooksBy<BERTH_PART_VOLUMES, LimitsPreFilter, LimitsFilter, LimitsHints>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::NodeVolumeLimits, "io.berth.node-volume-limits",
                 "NodeVolumeLimits", BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_HINTS,
                 BERTH_RULES_SERVICE);
