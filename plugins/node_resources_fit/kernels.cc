#include "plugins/node_resources_fit/kernels.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// One resource of one node, made fit for sdk::small_percentage.
struct Share {
  int64_t allocatable;  // 1 where there is none, so that the division is defined
  int64_t requested;    // at most allocatable
  double weight;        // 0 where the node has none of it
  int64_t large;        // all bits set: the numbers above are not the node's
};

// Masks in place of conditions: a condition in front of a division becomes a branch, and a loop
// with branches no vector code.
inline Share share_of(const BlockInput& in, size_t i) {
  const int64_t allocatable = in.allocatable[i];
  const int64_t requested = sdk::wrapping_add(in.used[i], in.request);
  // The sign bit of any: below 0, or above the limit.
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

// The table is looked up node by node, so there is little for vectors here.
bool add_ratio(BlockInput in, const UtilisationScores& scores, BlockSums& sums) {
  for (size_t i = 0; i < in.rows; ++i) {
    const Share share = share_of(in, i);
    if (share.large != 0) return false;
    const int32_t utilisation = sdk::small_percentage(share.requested, share.allocatable);
    const auto score = static_cast<double>(scores[static_cast<size_t>(utilisation)]);
    // A resource that scores 0 does not count.
    const double weight = score == 0 ? 0 : share.weight;
    sums.scores[i] += weight * score;
    sums.weights[i] += weight;
  }
  return true;
}

BERTH_SDK_VECTORISE
void finish_truncated(const BlockSums& sums, size_t rows, int64_t* raw) {
  for (size_t i = 0; i < rows; ++i) {
    // Where no resource counts both are 0. The truncated quotient is the integer one by the
    // argument of sdk::kSmallWhole: scores are at most 100 times the weights.
    const double weights = std::max(sums.weights[i], 1.0);
    raw[i] = static_cast<int32_t>(sums.scores[i] / weights);
  }
}

BERTH_SDK_VECTORISE
void finish_rounded(const BlockSums& sums, size_t rows, int64_t* raw) {
  for (size_t i = 0; i < rows; ++i) {
    const double quotient = sums.scores[i] / std::max(sums.weights[i], 1.0);
    const auto whole = static_cast<int32_t>(quotient);
    raw[i] = whole + (quotient - whole >= 0.5 ? 1 : 0);  // halves away from zero
  }
}

}  // namespace berth::plugins
