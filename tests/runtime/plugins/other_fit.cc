// A plugin of the tree built as a third party would: with its own id and file, outside the plugin
// folder.

#include "plugins/node_resources_fit/node_resources_fit.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeResourcesFit, "org.example.another-fit", "NodeResourcesFit",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_HINTS);
