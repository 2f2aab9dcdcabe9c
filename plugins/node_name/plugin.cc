#include "plugins/node_name/node_name.h"

BERTH_SDK_PLUGIN(berth::sdk::Hooks<berth::plugins::NodeNameFilter>, "io.berth.node-name",
                 "NodeName", BERTH_FILTER);
