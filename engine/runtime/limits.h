#pragma once

// Limits on the number of plugins at work, which follow from the engine's data structures.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/config/effective.h"

namespace berth::runtime {

// Number of extension points that a plugin implements.
using PointCount = std::function<size_t(const std::string& plugin)>;

// Throws config::InvalidConfiguration, with every profile that exceeds a limit:
// - a profile runs at most framework::kMostFilters plugins at Filter;
// - all profiles together have at most host::kMostHooks - 1 hooks. A plugin has one hook, and one
//   more for each extension point that it implements, in every profile that enables it.
// `effective` has one entry for each profile of `configuration`, in order. Any thread.
void check_limits(const config::Configuration& configuration,
                  const std::vector<config::EffectiveProfile>& effective,
                  const PointCount& points_of);

}  // namespace berth::runtime
