#include "plugins/default_preemption/potential.h"

#include "berth/abi/base.h"
#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

BERTH_SDK_VECTORISE
PotentialNodes count(const uint8_t* codes, const int64_t* lowest, int64_t priority, size_t nodes) {
  uint64_t potential = 0, without = 0;
  for (size_t i = 0; i < nodes; ++i) {
    const uint64_t is_potential = codes[i] == BERTH_UNSCHEDULABLE ? 1 : 0;
    potential += is_potential;
    without += lowest[i] >= priority ? is_potential : 0;
  }
  return {potential, without};
}

}  // namespace

PotentialNodes potential_nodes(std::span<const uint8_t> codes, std::span<const int64_t> lowest,
                               int64_t priority) {
  return count(codes.data(), lowest.data(), priority, codes.size());
}

}  // namespace berth::plugins
