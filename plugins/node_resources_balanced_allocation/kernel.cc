#include "plugins/node_resources_balanced_allocation/kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// One resource of one node, in numbers that sdk::small_to_double converts exactly.
struct Share {
  double fraction;  // at most 1
  int64_t none;     // all bits set: the node has none of the resource
  int64_t
      large;  // all bits set: the node's numbers are out of range, and `fraction` is not the node's
};

// Masks replace conditions: a condition before a division compiles to a branch, and a loop with
// branches is not vectorised.
inline Share share_of(const BalancedInput& in, size_t i, int64_t request) {
  const int64_t allocatable = in.allocatable[i];
  const int64_t requested = sdk::wrapping_add(in.used[i], request);
  const int64_t large =
      (allocatable | requested | sdk::wrapping_subtract(sdk::kSmall, allocatable) |
       sdk::wrapping_subtract(sdk::kSmall, requested)) >>
      63;
  const double whole = sdk::small_to_double(std::max<int64_t>(allocatable & ~large, 1));
  const double fraction = sdk::small_to_double(requested & ~large) / whole;
  return {std::min(fraction, 1.0), -static_cast<int64_t>(allocatable == 0), large};
}

// 0..100.
inline int32_t evenness(const Share& one, const Share& other) {
  // The standard deviation of two numbers is half their distance; of one number it is 0.
  const double deviation = std::fabs((one.fraction - other.fraction) / 2);
  const double counted =
      std::bit_cast<double>(std::bit_cast<int64_t>(deviation) & ~(one.none | other.none));
  return static_cast<int32_t>((1 - counted) * 100);
}

}  // namespace

BERTH_SDK_VECTORISE
bool score_two(BalancedInput a, BalancedInput b, int64_t* raw, size_t rows) {
  int64_t large = 0;
  for (size_t i = 0; i < rows; ++i) {
    const Share one = share_of(a, i, a.request);
    const Share other = share_of(b, i, b.request);
    large |= one.large | other.large;
    raw[i] = evenness(one, other);
  }
  return large == 0;
}

BERTH_SDK_VECTORISE
bool score_change_of_two(BalancedInput a, BalancedInput b, int64_t* raw, size_t rows) {
  int64_t large = 0;
  for (size_t i = 0; i < rows; ++i) {
    const Share one = share_of(a, i, a.request), other = share_of(b, i, b.request);
    const Share one_now = share_of(a, i, 0), other_now = share_of(b, i, 0);
    large |= one.large | other.large | one_now.large | other_now.large;
    // At least 0, so that the shift divides as Go does.
    const int32_t change = 50 + evenness(one, other) - evenness(one_now, other_now);
    raw[i] = 50 + (change >> 1);
  }
  return large == 0;
}

}  // namespace berth::plugins
