// An in-tree plugin as a stranger would build it: its own id, its own file, outside the tree's
// folder.

#include "plugins/node_resources_fit/node_resources_fit.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeResourcesFit, "org.example.another-fit", "NodeResourcesFit",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE);
