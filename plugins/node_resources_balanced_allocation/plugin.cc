#include "plugins/node_resources_balanced_allocation/node_resources_balanced_allocation.h"

BERTH_SDK_PLUGIN(berth::plugins::BalancedAllocation, "io.berth.node-resources-balanced-allocation",
                 "NodeResourcesBalancedAllocation", BERTH_PRE_SCORE " " BERTH_SCORE,
                 BERTH_RULES_SERVICE);
