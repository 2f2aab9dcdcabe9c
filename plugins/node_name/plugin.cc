#include "plugins/node_name/node_name.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeName, "io.berth.node-name", "NodeName",
                 BERTH_FILTER " " BERTH_HINTS);
