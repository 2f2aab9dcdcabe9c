#pragma once

#include "engine/config/config.h"
#include "tests/simulation/world/draws.h"

namespace berth::simulation {

// The profile of a simulation: the default plugins, Chaos where the rates have it, and Coscheduling
// if there are groups. `faults` outlives the plugins.
config::Configuration configuration(const Rates& rates, const Faults& faults, const Rules& rules);

}  // namespace berth::simulation
