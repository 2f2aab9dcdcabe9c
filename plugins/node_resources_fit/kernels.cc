#include "plugins/node_resources_fit/kernels.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// One resource of one node, in the range of sdk::small_percentage.
struct Share {
  int64_t allocatable;  // 1 if there is none, so that the division is defined
  int64_t requested;    // at most allocatable
  double weight;        // 0 if the node has none
  int64_t large;  // all bits set: the node's numbers are out of range and the fields above are not
                  // the node's
};

// Masks replace conditions: a condition before a division compiles to a branch, and a loop with
// branches is not vectorised.
inline Share share_of(const BlockInput& in, size_t i) {
  const int64_t allocatable = in.allocatable[i];
  const int64_t requested = sdk::wrapping_add(in.used[i], in.request);
  // Sign bit of any of the three: below 0, or above the limit.
  const int64_t large =
      (allocatable | requested | sdk::wrapping_subtract(sdk::kSmallWhole, allocatable)) >> 63;
  const int64_t whole = std::max<int64_t>(allocatable & ~large, 1);
  const int64_t some = -static_cast<int64_t>(allocatable != 0);
  return {whole, std::min(requested & ~large, whole),
          std::bit_cast<double>(std::bit_cast<int64_t>(in.weight) & some), large};
}

}  // namespace

BERTH_SDK_VECTORISE
bool add_least(BlockInput in, BlockSums& sums) {
  int64_t large = 0;
  for (size_t i = 0; i < in.rows; ++i) {
    const Share share = share_of(in, i);
    large |= share.large;
    sums.scores[i] += share.weight *
                      sdk::small_percentage(share.allocatable - share.requested, share.allocatable);
    sums.weights[i] += share.weight;
  }
  return large == 0;
}

BERTH_SDK_VECTORISE
bool add_most(BlockInput in, BlockSums& sums) {
  int64_t large = 0;
  for (size_t i = 0; i < in.rows; ++i) {
    const Share share = share_of(in, i);
    large |= share.large;
    sums.scores[i] += share.weight * sdk::small_percentage(share.requested, share.allocatable);
    sums.weights[i] += share.weight;
  }
  return large == 0;
}

// Not vectorised: the table lookup is one node at a time.
bool add_ratio(BlockInput in, const sdk::UtilisationScores& scores, BlockSums& sums) {
  for (size_t i = 0; i < in.rows; ++i) {
    const Share share = share_of(in, i);
    if (share.large != 0) return false;
    const int32_t utilisation = sdk::small_percentage(share.requested, share.allocatable);
    const auto score = static_cast<double>(scores[static_cast<size_t>(utilisation)]);
    // A resource with score 0 does not count, also not in the sum of weights.
    const double weight = score == 0 ? 0 : share.weight;
    sums.scores[i] += weight * score;
    sums.weights[i] += weight;
  }
  return true;
}

BERTH_SDK_VECTORISE
void finish_truncated(const BlockSums& sums, size_t rows, int64_t* raw) {
  for (size_t i = 0; i < rows; ++i) {
    // If no resource counts, both sums are 0. The truncated quotient equals the integer quotient by
    // the argument at sdk::kSmallWhole: scores are at most 100 times the weights.
    const double weights = std::max(sums.weights[i], 1.0);
    raw[i] = static_cast<int32_t>(sums.scores[i] / weights);
  }
}

BERTH_SDK_VECTORISE
void finish_rounded(const BlockSums& sums, size_t rows, int64_t* raw) {
  for (size_t i = 0; i < rows; ++i) {
    const double quotient = sums.scores[i] / std::max(sums.weights[i], 1.0);
    const auto whole = static_cast<int32_t>(quotient);
    raw[i] = whole + (quotient - whole >= 0.5 ? 1 : 0);  // rounds half away from zero
  }
}

}  // namespace berth::plugins
