#pragma once

// What repetitions say about a figure.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::bench {

double median(std::vector<double> values);  // precondition: not empty

// The standard deviation as a part of the mean; 0 for less than two values or a mean of 0.
double variation(const std::vector<double>& values);

// The probability that samples as different as these, or more so, come from one distribution
// (Mann-Whitney U test, two-sided): exact up to 20 values a side without ties, else by the normal
// approximation with corrections for ties and continuity. 1 if a side is empty.
double p_of_same(const std::vector<double>& a, const std::vector<double>& b);

// The least that p_of_same() can say of so many samples, however different they are.
double least_p(size_t a, size_t b);

struct Interval {
  double low = 0, high = 0;
};

// Where median(b) / median(a) lies with a confidence of 95 %, by the bootstrap percentile method;
// the same for the same values. Precondition: neither is empty, no median is 0.
Interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace berth::bench
