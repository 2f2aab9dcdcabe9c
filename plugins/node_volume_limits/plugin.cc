#include "plugins/node_volume_limits/node_volume_limits.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeVolumeLimits, "io.berth.node-volume-limits",
                 "NodeVolumeLimits", BERTH_PRE_FILTER " " BERTH_FILTER);
