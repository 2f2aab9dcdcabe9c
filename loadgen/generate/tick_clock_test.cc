#include "loadgen/generate/tick_clock.h"

#include <gtest/gtest.h>

namespace berth::loadgen {
namespace {

TEST(TickClock, RoundsUpToTheEndOfATick) {
  const TickClock clock(10);
  EXPECT_EQ(clock.tick_end(0), 0);
  EXPECT_EQ(clock.tick_end(1), 10);
  EXPECT_EQ(clock.tick_end(10), 10);
  EXPECT_EQ(clock.tick_end(kNever), kNever);
  EXPECT_EQ(clock.tick_end(kNever - 10), kNever);
  EXPECT_LT(clock.tick_end(kNever - 11), kNever);
}

TEST(TickClock, ProceedsToTheTickOfWhatIsNext) {
  TickClock clock(10);
  clock.proceed(kNever, 27);
  EXPECT_EQ(clock.now(), 20);
  EXPECT_EQ(clock.next_tick(), 30);
  EXPECT_EQ(clock.latest(), 20);
  clock.arrive(27);
  EXPECT_EQ(clock.now(), 20);
  EXPECT_EQ(clock.latest(), 27);
  clock.proceed(30, kNever);
  EXPECT_EQ(clock.now(), 30);
  EXPECT_EQ(clock.latest(), 30);
}

TEST(TickClock, DoesNotGoBack) {
  TickClock clock(10);
  clock.proceed(50, kNever);
  clock.proceed(30, 42);
  EXPECT_EQ(clock.now(), 50);
  clock.arrive(42);
  EXPECT_EQ(clock.latest(), 50);
}

}  // namespace
}  // namespace berth::loadgen
