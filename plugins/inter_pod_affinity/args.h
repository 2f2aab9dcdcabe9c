#pragma once

// The arguments of InterPodAffinity (kind InterPodAffinityArgs).

#include <cstdint>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct InterPodAffinityArgs {
  // Weight in scores of the required affinity terms of placed pods; 0: ignored.
  int64_t hard_pod_affinity_weight = 1;
  // Pods without preferred terms of their own are not scored.
  bool ignore_preferred_terms_of_existing_pods = false;
};

// Reports every error through `config`.
InterPodAffinityArgs read_inter_pod_affinity_args(const sdk::Config& config);

}  // namespace berth::plugins
