#include "loadgen/play.h"

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

// Passes only while it is waited for, or by what writing takes.
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
    counts_.pods += step.pods.size();
    if (step.pods.size() != 0) written.push_back(clock_.now());
  }
  void write_cluster(const LoadStep&) override {}
  void pass(const LoadStep&) override {}
  void end() override { ended = true; }

  Nanoseconds takes{0};
  uint64_t fails_after = UINT64_MAX;
  std::vector<Nanoseconds> written;
  bool ended = false;

 private:
  FakeClock& clock_;
};

class Play : public testing::Test {
 protected:
  void play_it(PlayOptions options) {
    options.pace = true;
    play(*load_of(kText), options, clock_, output_, report_);
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

// The clock does not wait for a reader that is slow, so lateness grows.
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
  // 20 pods, each 20 ms: the one in hand, and those that came due in 420 ms.
  EXPECT_EQ(report_.lost, 43u - 20u);
  EXPECT_FALSE(output_.ended);
}

}  // namespace
}  // namespace berth::loadgen
