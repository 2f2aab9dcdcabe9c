#include "engine/drive/course/recovery_watch.h"

#include <gtest/gtest.h>

namespace berth::drive {
namespace {

using std::chrono::seconds;

TEST(RecoveryWatch, WithoutEvictionsThereIsNothingToTell) {
  EXPECT_FALSE(RecoveryWatch().open());
  EXPECT_FALSE(RecoveryWatch().result());
}

TEST(RecoveryWatch, IsOverWhenAsFewWaitAsBeforeAndNoneLeaves) {
  RecoveryWatch watch;
  watch.evicted(seconds(10), 1);
  watch.evicted(seconds(20), 1);
  watch.arrived();  // the pods in their place
  watch.look(seconds(21), 2, true);
  EXPECT_FALSE(watch.result()->settled_seconds);
  watch.look(seconds(22), 1, true);
  watch.look(seconds(50), 1, true);
  EXPECT_TRUE(watch.open());
  watch.look(seconds(51), 1, false);
  EXPECT_FALSE(watch.open()) << "pods that arrive later do not count";
  const output::Recovery recovery = *watch.result();
  EXPECT_EQ(recovery.first_seconds, 10);
  EXPECT_EQ(recovery.last_seconds, 20);
  EXPECT_EQ(recovery.settled_seconds, 22);
}

TEST(RecoveryWatch, BeginsAnewWithTheNextEviction) {
  RecoveryWatch watch;
  watch.evicted(seconds(10), 0);
  watch.look(seconds(11), 0, false);
  EXPECT_FALSE(watch.open());
  watch.evicted(seconds(30), 0);
  watch.arrived();
  watch.look(seconds(31), 1, false);
  EXPECT_EQ(watch.result()->first_seconds, 10);
  EXPECT_EQ(watch.result()->last_seconds, 30);
  EXPECT_FALSE(watch.result()->settled_seconds) << "one waits";
}

}  // namespace
}  // namespace berth::drive
