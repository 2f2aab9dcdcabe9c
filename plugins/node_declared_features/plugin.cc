#include "plugins/node_declared_features/node_declared_features.h"

BERTH_SDK_PLUGIN(berth::plugins::NodeDeclaredFeatures, "io.berth.node-declared-features",
                 "NodeDeclaredFeatures", BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_HINTS,
                 "node.declared_features", "pod.restarts_all_containers", "pod.host_user_namespace",
                 BERTH_RULES_SERVICE);
