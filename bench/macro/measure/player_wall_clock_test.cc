// A player by the wall clock, which a test holds in its hand.

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "bench/macro/measure/player.h"
#include "bench/macro/measure/testing.h"

namespace berth::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WallClockTest : public testing::Test {
 protected:
  WallClockTest() {
    options_.variant.clock = Clock::kWall;
    options_.clock = &clock_;
  }
  // Each decision takes so long, and so does what else asks whether to stop.
  void decisions_take(loadgen::Nanoseconds time) {
    options_.stop = [this, time] {
      clock_.pass(time);
      return false;
    };
  }
  Measurement play_it() { return play(std::move(load_), options_); }
  static double seconds_of(uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

  FakeClock clock_;
  PlayOptions options_;
  TestLoad load_;
};

TEST_F(WallClockTest, TakesAsLongAsIsPlanned) {
  load_.nodes(3, "100");
  load_.pods(101, "1m", true, milliseconds(50));
  const Measurement m = play_it();
  EXPECT_EQ(m.pods_scheduled, 101u);
  EXPECT_DOUBLE_EQ(m.elapsed_seconds, 5.0);
  EXPECT_EQ(m.queue_to_bound->histogram.maximum(), 0u);
}

TEST_F(WallClockTest, TakesLessAtAHigherSpeed) {
  options_.variant.speed = 10;
  load_.nodes(3, "100");
  load_.pods(101, "1m", true, milliseconds(50));
  EXPECT_DOUBLE_EQ(play_it().elapsed_seconds, 0.5);
}

TEST_F(WallClockTest, CountsTheTimeUntilPodsThatAreNotMeasuredCome) {
  load_.nodes(3, "100");
  load_.pods(2, "1m", true);
  load_.pods(2, "1m", false);
  load_.at(seconds(4));
  load_.pods(2, "1m", true);
  load_.at(seconds(10));
  load_.delete_pod("pod-0");
  load_.at(seconds(11));
  const Measurement m = play_it();
  EXPECT_EQ(m.decisions, 4u);
  EXPECT_DOUBLE_EQ(m.elapsed_seconds, 4.0 + 1.0);
}

// However long the cluster takes.
TEST_F(WallClockTest, BeginsWhenSomethingHappens) {
  load_.nodes(3, "100");
  load_.nothing();
  load_.takes(clock_, seconds(3));
  load_.pods(11, "1m", true, milliseconds(100));
  load_.at(seconds(2));  // of a load whose times begin there
  const Measurement m = play_it();
  EXPECT_DOUBLE_EQ(m.elapsed_seconds, 1.0);
  EXPECT_EQ(m.queue_to_bound->histogram.maximum(), 0u);
}

TEST_F(WallClockTest, CountsWaitsFromWhenPodsWerePlanned) {
  decisions_take(milliseconds(100));
  load_.nodes(3, "100");
  load_.pods(50, "1m", true, milliseconds(10));
  const Measurement m = play_it();
  EXPECT_EQ(m.pods_scheduled, 50u);
  // Fifty decisions of 100 ms, for what comes within half a second.
  EXPECT_NEAR(seconds_of(m.queue_to_bound->histogram.maximum()), 5.0, 0.6);
  EXPECT_NEAR(m.elapsed_seconds, 5.0, 0.3);
}

// Steps are due while pods wait, and what is due stands in the queue.
TEST_F(WallClockTest, TakesTheNextStepWhilePodsWait) {
  decisions_take(milliseconds(1));
  load_.nodes(1, "10");
  load_.pods(10, "1", true);
  load_.urgent_pods(5, "1");
  load_.at(milliseconds(3));
  const Measurement m = play_it();
  // Those that are urgent have no room any more unless they come before the rest.
  EXPECT_EQ(m.pods_scheduled, 10u);
  const auto most = *std::ranges::max_element(m.series.waiting);
  EXPECT_GE(most, 10u);
  EXPECT_EQ(m.series.waiting.back(), 0u);
}

TEST_F(WallClockTest, TakesEventsWhilePodsWaitButNotBeforeThePodThatTheyName) {
  decisions_take(milliseconds(1));
  load_.nodes(1, "100");
  load_.pods(20, "1", true);
  load_.delete_pod("pod-19");  // waits for it
  load_.at(milliseconds(1));
  load_.urgent_pods(1, "1");
  load_.at(milliseconds(2));
  const Measurement m = play_it();
  EXPECT_EQ(m.pods_scheduled, 21u);
  ASSERT_FALSE(m.quality.utilisation.empty());
  EXPECT_EQ(m.quality.utilisation[0].requested, 20'000);
}

TEST_F(WallClockTest, IsAskedToStopWhileItWaits) {
  // As the system's clock does it, in pieces.
  class Impatient final : public loadgen::WallClock {
   public:
    loadgen::Nanoseconds now() override { return now_; }
    void wait_until(loadgen::Nanoseconds time, const std::function<bool()>& stop) override {
      while (now_ < time && !stop()) now_ += milliseconds(50);
    }
    loadgen::Nanoseconds now_ = seconds(1);
  } clock;
  options_.clock = &clock;
  options_.stop = [&clock] { return clock.now_ > seconds(61); };
  load_.nodes(1, "100");
  load_.pods(3, "1", true, std::chrono::hours(1));
  const Measurement m = play_it();
  EXPECT_TRUE(m.interrupted);
  EXPECT_EQ(m.decisions, 1u);
  EXPECT_NEAR(m.elapsed_seconds, 60, 0.1);
}

}  // namespace
}  // namespace berth::bench
