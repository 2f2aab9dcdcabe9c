#include "plugins/node_unschedulable/node_unschedulable.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeUnschedulable, "io.berth.node-unschedulable",
                 "NodeUnschedulable", BERTH_FILTER " " BERTH_HINTS);
