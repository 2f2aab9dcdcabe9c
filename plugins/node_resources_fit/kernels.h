#pragma once

// The scoring strategies over a block of nodes, one resource after the other, in doubles.

#include <cstddef>
#include <cstdint>

#include "plugins/node_resources_fit/args.h"

namespace berth::plugins {

// Sums over the resources added so far. All are integers far below 2^53, so doubles are exact.
struct BlockSums {
  static constexpr size_t kRows = 128;
  double scores[kRows];   // sums of score times weight
  double weights[kRows];  // sums of the weights of the resources that count
};

// One resource of a block.
struct BlockInput {
  const int64_t* allocatable;
  const int64_t* used;
  int64_t request;
  double weight;
  size_t rows;  // at most BlockSums::kRows
};

// Each adds a resource to the sums. False: a node's numbers are too large or negative; the sums
// must not be used, and the block has to be scored in integers.
bool add_least(BlockInput in, BlockSums& sums);
bool add_most(BlockInput in, BlockSums& sums);
bool add_ratio(BlockInput in, const sdk::UtilisationScores& scores, BlockSums& sums);

// Writes scores / weights, truncated or rounded; 0 if no resource counts.
void finish_truncated(const BlockSums& sums, size_t rows, int64_t* raw);
void finish_rounded(const BlockSums& sums, size_t rows, int64_t* raw);

}  // namespace berth::plugins
