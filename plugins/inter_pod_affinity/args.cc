#include "plugins/inter_pod_affinity/args.h"

namespace berth::plugins {

InterPodAffinityArgs read_inter_pod_affinity_args(const sdk::Config& config) {
  constexpr int64_t kMost = 100;
  config.type_meta("InterPodAffinityArgs");
  InterPodAffinityArgs args;
  const sdk::Config weight = config["hardPodAffinityWeight"];
  args.hard_pod_affinity_weight = weight.integer(1, INT32_MIN, INT32_MAX);
  if (args.hard_pod_affinity_weight < 0 || args.hard_pod_affinity_weight > kMost)
    weight.error(sdk::concat("Invalid value: ", args.hard_pod_affinity_weight,
                             ": not in valid range [0, 100]"));
  args.ignore_preferred_terms_of_existing_pods =
      config["ignorePreferredTermsOfExistingPods"].boolean();
  return args;
}

}  // namespace berth::plugins
