#include "loadgen/generate/changes/planned_changes.h"

#include <gtest/gtest.h>

namespace berth::loadgen {
namespace {

TEST(PlannedChanges, HappenByTimeAndThenInTheOrderOfPlanning) {
  PlannedChanges planned;
  EXPECT_EQ(planned.first(), nullptr);
  // Ten changes at each of five times, times in turn.
  for (uint64_t i = 0; i < 50; ++i)
    planned.add({.at = static_cast<int64_t>(i * 3 % 5), .number = i});
  int64_t at = 0;
  uint64_t number = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_NE(planned.first(), nullptr);
    const int64_t next = planned.first()->at;
    const Planned change = planned.take();
    EXPECT_EQ(change.at, next);
    EXPECT_EQ(change.at, i / 10);
    if (change.at == at && i != 0) {
      EXPECT_GT(change.number, number);
    }
    at = change.at;
    number = change.number;
  }
  EXPECT_EQ(planned.first(), nullptr);
}

TEST(PlannedChanges, AfterTheEndOfTimeNeverHappen) {
  PlannedChanges planned;
  planned.add({.at = kNever + 1, .what = What::kRepair});
  EXPECT_EQ(planned.first()->at, kNever);
  EXPECT_EQ(planned.take().what, What::kRepair);
}

}  // namespace
}  // namespace berth::loadgen
