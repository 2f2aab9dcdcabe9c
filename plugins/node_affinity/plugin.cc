#include "plugins/node_affinity/node_affinity.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeAffinity, "io.berth.node-affinity", "NodeAffinity",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_HINTS);
