#pragma once

// Which victims violate disruption budgets.

#include <cstdint>
#include <span>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/default_preemption/candidates.h"

namespace berth::plugins {

// Moves those pods of `pods` into the result whose eviction one of their budgets does not allow, if
// the pods before them are evicted too. Both keep their order. `budgets`: by PlacedPod::position.
std::vector<PlacedPod> take_violating(std::vector<PlacedPod>& pods, sdk::Lists<uint32_t> budgets,
                                      std::span<const int64_t> allowed);

}  // namespace berth::plugins
