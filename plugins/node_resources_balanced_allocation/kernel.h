#pragma once

// The score of two resources, vectorised over nodes.

#include <cstddef>
#include <cstdint>

namespace berth::plugins {

// One resource of all nodes, and the pod's request of it, in the resource's unit.
struct BalancedInput {
  const int64_t* allocatable;
  const int64_t* used;
  int64_t request;
};

// The fraction of a resource in use after the pod is added, at most 1. Requires allocatable != 0.
inline double fraction_in_use(int64_t allocatable, int64_t requested) {
  const double fraction = static_cast<double>(requested) / static_cast<double>(allocatable);
  return fraction > 1 ? 1 : fraction;
}

// Writes the score of each node, 0..100. False: a node's numbers are too large or negative, and
// `raw` must not be used.
bool score_two(BalancedInput a, BalancedInput b, int64_t* raw, size_t rows);

}  // namespace berth::plugins
