#include "engine/drive/standstill.h"

#include <gtest/gtest.h>

namespace berth::drive {
namespace {

using std::chrono::minutes;

constexpr Time kNow = minutes(100);

TEST(Standstill, IsReachedWhenEachPodWasTriedAndAFlushPassed) {
  Standstill still(minutes(5), minutes(16));
  still.begin(kNow, 1000, 10, {});
  EXPECT_FALSE(still.due(kNow + minutes(6), 1009)) << "a pod may not have been tried";
  EXPECT_FALSE(still.due(kNow + minutes(5), 1010)) << "nothing is tried for a second time yet";
  ASSERT_TRUE(still.due(kNow + minutes(6), 1010));
  EXPECT_TRUE(still.reached(kNow + minutes(6), 1010, 10, {}));
}

TEST(Standstill, BeginsAnewAfterProgress) {
  for (const Standstill::Progress progress :
       {Standstill::Progress{.changes = 1}, Standstill::Progress{.moves = 1}}) {
    Standstill still(minutes(5), minutes(16));
    still.begin(kNow, 0, 10, {});
    EXPECT_FALSE(still.reached(kNow + minutes(6), 10, 8, progress));
    EXPECT_FALSE(still.due(kNow + minutes(12), 17));
    EXPECT_TRUE(still.due(kNow + minutes(12), 18));
    EXPECT_TRUE(still.reached(kNow + minutes(12), 18, 8, progress));
  }
}

TEST(Standstill, WaitsLongerForPodsThatFail) {
  Standstill still(minutes(5), minutes(16));
  still.begin(kNow, 0, 10, {});
  EXPECT_FALSE(still.reached(kNow + minutes(6), 10, 10, {.failures = 3}));
  EXPECT_FALSE(still.reached(kNow + minutes(16), 90, 10, {.failures = 9}));
  EXPECT_TRUE(still.reached(kNow + minutes(17), 99, 10, {.failures = 12}));
  Standstill waits(minutes(5), minutes(16));
  waits.begin(kNow, 0, 10, {});
  EXPECT_FALSE(waits.reached(kNow + minutes(6), 10, 10, {}, true));
  EXPECT_TRUE(waits.reached(kNow + minutes(17), 10, 10, {}, true));
}

// A victim left after an hour, which moves the pod that waits for its place.
TEST(Standstill, OneMoveAfterLongIsProgress) {
  Standstill still(minutes(5), minutes(16));
  still.begin(kNow, 0, 1, {});
  EXPECT_FALSE(still.reached(kNow + minutes(60), 11, 1, {.moves = 1}));
}

// Pods that wake each other in turns.
TEST(Standstill, MovesAloneAreNoProgressForEver) {
  Standstill still(minutes(5), minutes(16));
  still.begin(kNow, 0, 10, {});
  uint64_t decisions = 0, moves = 0;
  Time now = kNow;
  do {
    now += minutes(6);
    decisions += 10;
    ASSERT_LT(decisions, 1000u);
  } while (!still.reached(now, decisions, 10, {.moves = ++moves}));
  EXPECT_TRUE(still.due(now, decisions) && still.reached(now, decisions, 10, {.moves = moves}));
  EXPECT_GT(now - kNow, minutes(16));
  EXPECT_GE(decisions, 40u);
}

}  // namespace
}  // namespace berth::drive
