#pragma once

// Distributions in workload files: an amount, or an object with one of uniform, normal, logNormal,
// pareto, exponential and empirical, and beside it step, min and max.

#include <optional>

#include "loadgen/workload/fields.h"

namespace berth::loadgen {

// Nothing, which was reported, if it is none. `low` is the least that may be drawn: a fixed amount
// below it is refused, and what is drawn below it becomes it.
std::optional<Distribution> parse_distribution(document::Value value, Unit unit,
                                               FieldContext& context, int64_t low = 0,
                                               int64_t high = Distribution::kMost,
                                               int64_t step = 1);

}  // namespace berth::loadgen
