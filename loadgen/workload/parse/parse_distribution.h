#pragma once

// Reads distributions. A distribution is an amount, or an object with exactly one of uniform,
// normal, logNormal, pareto, exponential and empirical, optionally with step, min and max.

#include <optional>

#include "loadgen/workload/fields/fields.h"

namespace berth::loadgen {

inline constexpr uint64_t kMostWeight = uint64_t{1} << 32;

// Returns nullopt after a report if `value` is not a valid distribution. `low` is the lowest
// possible result: a fixed amount below it is an error, a drawn amount below it is raised to it.
// `high` works the same way at the other end. `step` is the default granularity.
std::optional<Distribution> parse_distribution(document::Value value, Unit unit,
                                               FieldContext& context, int64_t low = 0,
                                               int64_t high = Distribution::kMost,
                                               int64_t step = 1);

}  // namespace berth::loadgen
