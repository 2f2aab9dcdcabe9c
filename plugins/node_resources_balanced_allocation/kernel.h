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

// The score of a change from one evenness to another, each 0..100: 75 if they are equal.
inline int64_t score_of_change(int64_t with_pod, int64_t without_pod) {
  return 50 + (50 + with_pod - without_pod) / 2;
}

// Writes the evenness of each node with the pod, 0..100. False: a node's numbers are too large or
// negative, and `raw` must not be used.
bool score_two(BalancedInput a, BalancedInput b, int64_t* raw, size_t rows);
// The same with score_of_change().
bool score_change_of_two(BalancedInput a, BalancedInput b, int64_t* raw, size_t rows);

}  // namespace berth::plugins
