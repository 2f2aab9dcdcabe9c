#pragma once

// Statistics over the samples of a figure.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::bench {

double median(std::vector<double> values);  // requires: not empty

// The coefficient of variation: standard deviation divided by mean. 0 for fewer than two values or
// a mean of 0.
double variation(const std::vector<double>& values);

// The p-value of the two-sided Mann-Whitney U test: the probability of a difference at least this
// large if both samples come from the same distribution. Exact up to 20 values per side without
// ties, otherwise the normal approximation with corrections for ties and continuity. 1 if a side is
// empty.
double p_of_same(const std::vector<double>& a, const std::vector<double>& b);

// The smallest p-value that p_of_same() can return for samples of these sizes.
double least_p(size_t a, size_t b);

struct Interval {
  double low = 0, high = 0;
};

// A 95 % confidence interval of median(b) / median(a), by the bootstrap percentile method.
// Deterministic. Requires: both samples are not empty and no median is 0.
Interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace berth::bench
