#pragma once

// The arguments of InterPodAffinity (kind InterPodAffinityArgs).

#include <cstdint>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct InterPodAffinityArgs {
  // What a placed pod's required affinity counts for in scores; 0: nothing.
  int64_t hard_pod_affinity_weight = 1;
  // Pods that prefer nothing themselves are not scored.
  bool ignore_preferred_terms_of_existing_pods = false;
};

// Reports what is wrong.
InterPodAffinityArgs read_inter_pod_affinity_args(const sdk::Config& config);

}  // namespace berth::plugins
