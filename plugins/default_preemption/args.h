#pragma once

// The arguments of DefaultPreemption (kind DefaultPreemptionArgs).

#include <cstdint>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct DefaultPreemptionArgs {
  // The dry runs end once so many candidates were found: this share of the potential nodes, or this
  // many if that is more.
  int64_t min_candidate_nodes_percentage = 10;
  int64_t min_candidate_nodes_absolute = 100;

  // Candidates that end the dry runs.
  size_t candidates(size_t potential_nodes) const;
};

// Reports every error through `config`.
DefaultPreemptionArgs read_default_preemption_args(const sdk::Config& config);

}  // namespace berth::plugins
