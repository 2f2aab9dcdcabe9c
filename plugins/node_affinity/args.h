#pragma once

// The arguments of NodeAffinity (kind NodeAffinityArgs).

#include <cstdint>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct WeightedSelector {
  uint32_t selector;
  int64_t weight;
};

struct AffinityArgs {
  uint32_t added_required = 0;  // selector that every pod must match as well; 0: none
  bool adds_preferred = false;  // whether there are added terms, even ones without weight
  std::vector<WeightedSelector> added_preferred;
};

// Reports what is wrong, but for the selectors: those are the host's to read, which is there from
// init on.
void check_affinity_args(const sdk::Config& config);
AffinityArgs read_affinity_args(const sdk::Config& config, const sdk::Selectors& selectors);

}  // namespace berth::plugins
