#include "plugins/inter_pod_affinity/inter_pod_affinity.h"

BERTH_SDK_PLUGIN(berth::plugins::InterPodAffinity, "io.berth.inter-pod-affinity",
                 "InterPodAffinity",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_HINTS,
                 BERTH_RULES_SERVICE, "event.anti_affinity_matches");
