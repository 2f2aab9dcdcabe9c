#include "loadgen/play/play.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string kText = head(
    "templates: [{name: a, template: {spec: {containers: [{name: c}]}}}]\n"
    "tick: 1ms\n"
    "arrivals: [{constant: {rate: 100}, pods: 100}]\n");

// Advances only in wait_until, or by the time that the fake output takes.
class FakeClock final : public WallClock {
 public:
  Nanoseconds now() override { return now_; }
  void wait_until(Nanoseconds time, const std::function<bool()>&) override {
    now_ = std::max(now_, time);
  }
  void pass(Nanoseconds time) { now_ += time; }

 private:
  Nanoseconds now_ = seconds(1000);
};

class FakeOutput final : public LoadOutput {
 public:
  explicit FakeOutput(FakeClock& clock) : clock_(clock) {}
  void note(std::string_view) override {}
  void write(const LoadStep& step) override {
    clock_.pass(takes);
    if (counts_.pods >= fails_after) throw Error("full");
    if (step.at >= fails_at) throw Error("gone");
    counts_.pods += step.pods.size();
    if (step.pods.size() != 0) written.push_back(clock_.now());
  }
  void pass(const LoadStep&) override {}
  void end() override { ended = true; }

  Nanoseconds takes{0};
  uint64_t fails_after = UINT64_MAX;
  Nanoseconds fails_at = Nanoseconds::max();
  std::vector<Nanoseconds> written;
  bool ended = false;

 private:
  FakeClock& clock_;
};

class Play : public testing::Test {
 protected:
  void play_it(PlayOptions options, const std::string& text = kText) {
    options.pace = true;
    play(*load_of(text), options, clock_, output_, report_);
  }

  FakeClock clock_;
  FakeOutput output_{clock_};
  PlayReport report_;
};

TEST_F(Play, LeavesWhenItIsPlanned) {
  play_it({});
  ASSERT_EQ(output_.written.size(), 100u);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(output_.written[i], seconds(1000) + milliseconds(10 * i)) << i;
  EXPECT_EQ(report_.lateness.maximum(), 0u);
  EXPECT_EQ(report_.lateness.count(), 100u);
  EXPECT_TRUE(output_.ended);
}

TEST_F(Play, GoesFasterIfAsked) {
  play_it({.speed = 10});
  EXPECT_EQ(output_.written.back(), seconds(1000) + milliseconds(99));
}

// A slow reader does not slow down the clock, so lateness grows.
TEST_F(Play, CountsLatenessOfASlowReader) {
  output_.takes = milliseconds(15);
  play_it({});
  EXPECT_EQ(report_.lateness.maximum(),
            static_cast<uint64_t>(Nanoseconds(milliseconds(100 * 15 - 99 * 10)).count()));
}

TEST_F(Play, EndsAtItsDurationWithAnEndMark) {
  play_it({.duration = milliseconds(500)});
  EXPECT_EQ(output_.written.size(), 51u);
  EXPECT_TRUE(output_.ended);
}

TEST_F(Play, StopsWellWhenAsked) {
  play_it({.stop = [&] { return output_.written.size() == 7; }});
  EXPECT_EQ(output_.written.size(), 7u);
  EXPECT_TRUE(output_.ended);
  EXPECT_TRUE(report_.stopped);
}

TEST_F(Play, SaysWhatWasLost) {
  output_.fails_after = 20;
  output_.takes = milliseconds(20);
  EXPECT_THROW(play_it({}), Error);
  // 20 pods were written, 20 ms each. Lost are the current pod and those due within 420 ms.
  EXPECT_EQ(report_.lost, 43u - 20u);
  EXPECT_FALSE(output_.ended);
}

// Changes that continue for years after the last pod.
const std::string kWithoutPods = head(
    "duration: 100000h\n"
    "cluster: {nodes: 3, shapes: [{name: a, allocatable: {pods: 9}}]}\n"
    "churn: {nodeLabels: [{every: 1s, key: a, values: [b]}]}\n");

TEST_F(Play, LosesNoPodsWhereThereAreNone) {
  output_.fails_at = seconds(5);
  EXPECT_THROW(play_it({}, kWithoutPods), Error);
  EXPECT_EQ(report_.lost, 0u);
}

TEST_F(Play, EndsWhenAskedWhileItCountsWhatWasLost) {
  output_.fails_at = seconds(5);
  output_.takes = std::chrono::hours(100'000);
  int asked = 0;
  EXPECT_THROW(play_it({.stop = [&] { return ++asked > 100; }}, kWithoutPods), Error);
  EXPECT_LT(asked, 110);
}

TEST_F(Play, GoesAsSlowlyAsAsked) {
  const std::string text = head(
      "templates: [{name: a, template: {spec: {containers: [{name: c}]}}}]\n"
      "arrivals: [{replay: {times: [0s, 10000000s]}}]\n");
  play_it({.speed = 1e-3}, text);
  EXPECT_EQ(output_.written.back(), Nanoseconds(seconds(1000)) + Nanoseconds(int64_t{1} << 62));
}

}  // namespace
}  // namespace berth::loadgen
