#pragma once

// The Pareto front: the rows that no other row is better than.

#include <vector>

namespace berth::bench {

// Numbers of one row, one for each thing that counts; the smaller, the better.
using Costs = std::vector<double>;

// For each row: true unless another row is at most as costly in everything, and less so in
// something. Equal rows are on the front together. Requires: rows of equal length, no NaN.
std::vector<bool> front_of(const std::vector<Costs>& rows);

}  // namespace berth::bench
