#include "engine/base/split_trial.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

// The number of `ranges` ranges that are split if one thread takes `one` nanoseconds a row and
// several take `several`.
int split(SplitTrial& trial, uint32_t rows, int ranges, uint64_t one, uint64_t several) {
  int count = 0;
  for (int i = 0; i < ranges; ++i) {
    const bool splits = trial.splits(rows);
    count += splits;
    trial.took(rows, splits, rows * (splits ? several : one));
  }
  return count;
}

TEST(SplitTrial, TakesTheFasterWay) {
  SplitTrial trial;
  EXPECT_GT(split(trial, 10'000, 1000, 20, 12), 980);
  EXPECT_LT(split(trial, 100'000, 1000, 12, 20), 20);
}

TEST(SplitTrial, FollowsAMachineThatBecomesBusy) {
  SplitTrial trial;
  EXPECT_GT(split(trial, 10'000, 1000, 20, 12), 980);
  EXPECT_LT(split(trial, 10'000, 1000, 20, 40), 30);
  EXPECT_GT(split(trial, 10'000, 10'000, 20, 12), 8000);
}

TEST(SplitTrial, ShortAndLongRangesDiffer) {
  SplitTrial trial;
  for (int i = 0; i < 100; ++i) {
    split(trial, 3000, 10, 10, 30);
    split(trial, 300'000, 10, 30, 10);
  }
  EXPECT_LT(split(trial, 3000, 100, 10, 30), 5);
  EXPECT_GT(split(trial, 300'000, 100, 30, 10), 95);
}

}  // namespace
}  // namespace berth
