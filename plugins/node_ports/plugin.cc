#include "plugins/node_ports/node_ports.h"

BERTH_SDK_PLUGIN(berth::plugins::NodePorts, "io.berth.node-ports", "NodePorts",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_HINTS);
