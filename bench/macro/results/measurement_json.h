#pragma once

#include <string>

#include "bench/macro/measure/figures/measurement.h"

namespace berth::bench {

// One repetition as JSON: the members of a result (see bench/figures.md), without workload and
// variant, which the caller adds.
std::string to_json(const Measurement& measurement);

}  // namespace berth::bench
