#pragma once

// The arguments of NodeAffinity (kind NodeAffinityArgs).

#include <cstdint>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// A preferred term.
struct WeightedSelector {
  uint32_t selector;  // handle, kept for the life of the host
  int64_t weight;     // 1..100
};

struct AffinityArgs {
  uint32_t added_required = 0;  // node selector that every pod must match in addition; 0: none
  bool adds_preferred = false;  // the configuration has preferred terms, even if without weight
  std::vector<WeightedSelector> added_preferred;  // terms that have a weight and are not empty
};

// check_affinity_args reports every error. read_affinity_args lets the host read the selectors.
void check_affinity_args(const sdk::Config& config);
AffinityArgs read_affinity_args(const sdk::Config& config, const sdk::Selectors& selectors);

}  // namespace berth::plugins
