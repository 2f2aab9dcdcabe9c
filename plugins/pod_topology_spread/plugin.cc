#include "plugins/pod_topology_spread/pod_topology_spread.h"

BERTH_SDK_PLUGIN(berth::plugins::PodTopologySpread, "io.berth.pod-topology-spread",
                 "PodTopologySpread",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_HINTS,
                 BERTH_RULES_SERVICE);
