#include "plugins/node_resources_fit/node_resources_fit.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeResourcesFit, "io.berth.node-resources-fit",
                 "NodeResourcesFit",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_HINTS);
