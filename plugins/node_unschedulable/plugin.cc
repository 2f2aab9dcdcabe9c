#include "plugins/node_unschedulable/node_unschedulable.h"

BERTH_SDK_PLUGIN(berth::sdk::Hooks<berth::plugins::NodeUnschedulableFilter>,
                 "io.berth.node-unschedulable", "NodeUnschedulable", BERTH_FILTER);
