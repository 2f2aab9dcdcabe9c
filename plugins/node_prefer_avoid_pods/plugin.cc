#include "plugins/node_prefer_avoid_pods/node_prefer_avoid_pods.h"

BERTH_SDK_PLUGIN(berth::plugins::NodePreferAvoidPods, "io.berth.node-prefer-avoid-pods",
                 "NodePreferAvoidPods", BERTH_PRE_SCORE " " BERTH_SCORE);
