// The loop around a core: what it takes, decides and waits for, and when it ends.

#include "engine/drive/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

// Gives so many empty batches: the taker of a test knows what they stand for.
class Batches final : public drive::WorkSource {
 public:
  explicit Batches(size_t left) : left_(left) {}

  bool next(drive::Work& work) override {
    work = {};
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  bool ready() override { return true; }
  bool wait_until(std::chrono::steady_clock::time_point) override { return true; }
  bool finished() override { return left_ == 0; }
  bool holds_whole() const override { return false; }
  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return remarks_; }
  uint64_t rejected_pods() const override { return 0; }
  const std::vector<ingest::RejectedPod>& rejected() const override { return rejected_; }

 private:
  size_t left_;
  Diagnostics diagnostics_;
  ingest::Remarks remarks_;
  std::vector<ingest::RejectedPod> rejected_;
};

class DriverTest : public CoreTest, protected drive::Program {
 protected:
  drive::Driver& drive_core(drive::DriverOptions options = {}) {
    core->report_to([this](const runtime::Report& report) {
      driver_->take(report);
      record(report);
    });
    drive::Program& program = *this;
    const drive::Pace pace(drive::ClockKind::kVirtual);
    return driver_.emplace(*core, program, pace, options);
  }
  // Runs with one batch for each list of pods.
  void run(const std::vector<std::vector<model::Pod>>& batches) {
    Batches source(batches.size());
    size_t at = 0;
    driver_->run(source, [&](const drive::Work&) {
      results.push_back("input");
      arrive(batches[at++]);
    });
  }
  // A pod that asks for so many of a node's eight processors.
  static model::Pod asking(const std::string& name, int64_t processors, int32_t priority = 0) {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(processors)}};
    made.spec.priority = priority;
    return made;
  }

  bool stopped() override { return decisions_ >= stops_after_; }
  void decide() override {
    ++decisions_;
    core->step(driver_->next_decision_at());
  }
  bool may_decide() override { return may_decide_; }
  void time_passed() override { ++moves_of_time_; }

  bool may_decide_ = true;
  size_t stops_after_ = SIZE_MAX;
  size_t decisions_ = 0;
  size_t moves_of_time_ = 0;

 private:
  std::optional<drive::Driver> driver_;
};

TEST_F(DriverTest, DecidesABatchBeforeItTakesTheNext) {
  start();
  apply(model::added(node("n")));
  const drive::Driver& driver = drive_core();
  run({{pod("a"), pod("b")}, {}, {pod("c")}});
  EXPECT_THAT(results, ElementsAre("input", "a scheduled n", "b scheduled n", "input", "input",
                                   "c scheduled n"));
  EXPECT_THAT(bindings.all, ElementsAre("a@n", "b@n", "c@n"));
  EXPECT_TRUE(driver.input_ended());
  EXPECT_EQ(driver.progress().changes, 3);
  EXPECT_EQ(core->now(), milliseconds(3)) << "a decision takes one";
}

TEST_F(DriverTest, EndsWithPodsThatNothingHelps) {
  start();
  apply(model::added(node("n")));
  const drive::Driver& driver = drive_core();
  run({{asking("large", 9), pod("small")}});
  EXPECT_THAT(results, ElementsAre("input", "large unschedulable", "small scheduled n"));
  EXPECT_EQ(driver.waiting(), 1);
  EXPECT_EQ(driver.progress().failures, 0);
  EXPECT_LT(core->now(), seconds(1)) << "time alone does not help it";
}

TEST_F(DriverTest, GoesOnForPodsThatWaitTooLongAsLongAsItIsTold) {
  start();
  apply(model::added(node("n")));
  drive_core({.play_on = minutes(6)});
  run({{asking("large", 9)}});
  EXPECT_THAT(results, ElementsAre("input", "large unschedulable", "large unschedulable"));
  EXPECT_GT(core->now(), minutes(5));
  EXPECT_LE(core->now(), minutes(6));
  EXPECT_NE(moves_of_time_, 0);
}

TEST_F(DriverTest, WaitsForAVictimThatLeaves) {
  start();
  apply(model::added(node("n")));
  drive_core();
  model::Pod victim = asking("victim", 8);
  victim.spec.termination_grace_seconds = 30;
  run({{victim}, {asking("urgent", 8, 10)}});
  EXPECT_EQ(bindings.all.back(), "urgent@n");
  EXPECT_GE(core->now(), seconds(30));
  EXPECT_LT(core->now(), minutes(1));
}

// Input that always waits neither holds up decisions nor is held up by them.
TEST_F(DriverTest, InputThatWaitsEndsATurnAfterSomeTries) {
  start();
  apply(model::added(node("n", 1000)));
  drive::Driver& driver = drive_core();
  std::vector<model::Pod> pods;
  for (int i = 0; i < 200; ++i) pods.push_back(pod("p" + std::to_string(i)));
  arrive(pods);
  const auto waits = [] { return true; };
  EXPECT_EQ(driver.turn(seconds(1), waits), seconds(1)) << "there is more to do";
  EXPECT_EQ(decisions_, 64);
  EXPECT_EQ(driver.turn(seconds(2), [] { return false; }), std::nullopt);
  EXPECT_EQ(decisions_, 200);
  EXPECT_EQ(bindings.all.size(), 200);
}

TEST_F(DriverTest, ATurnDecidesNothingWhileTheProgramMayNot) {
  start();
  apply(model::added(node("n")));
  drive::Driver& driver = drive_core();
  arrive({pod("a")});
  may_decide_ = false;
  const auto waits = [] { return false; };
  EXPECT_NE(driver.turn(seconds(1), waits), seconds(1)) << "only the program changes anything";
  EXPECT_EQ(decisions_, 0);
  EXPECT_GE(core->now(), seconds(1)) << "time passes";
  may_decide_ = true;
  driver.turn(seconds(2), waits);
  EXPECT_THAT(bindings.all, ElementsAre("a@n"));
}

// Input that is there already comes before a try that waits for its backoff.
TEST_F(DriverTest, ABackoffDoesNotEndBetweenBatches) {
  start();
  apply(model::added(node("n")));
  bindings.answers["p"] = {binding::BindAnswer::Kind::kFailed, "no"};
  const drive::Driver& driver = drive_core();
  run({{pod("p")}, {pod("q")}});
  EXPECT_THAT(results, ElementsAre("input", "p scheduled n", "input", "q scheduled n", "p error",
                                   "p scheduled n"));
  EXPECT_THAT(bindings.all, ElementsAre("q@n", "p@n"));
  EXPECT_EQ(driver.progress().failures, 1);
  EXPECT_GE(core->now(), seconds(1));
}

// What falls due on the way happens, and waiting pods are tried.
TEST_F(DriverTest, TimePassesToWhenTheInputSaysThatThingsHappen) {
  start();
  apply(model::added(node("n")));
  bindings.answers["p"] = {binding::BindAnswer::Kind::kFailed, "no"};
  drive::Driver& driver = drive_core();
  Batches source(3);
  int batch = 0;
  driver.run(source, [&](const drive::Work&) {
    if (++batch == 1) return arrive({pod("p")});
    results.push_back("time");
    driver.pass_to(batch == 2 ? seconds(90) : seconds(5));
    EXPECT_EQ(core->now(), seconds(90)) << "it does not go back";
  });
  EXPECT_THAT(results, ElementsAre("p scheduled n", "time", "p error", "p scheduled n", "time"));
  EXPECT_THAT(bindings.all, ElementsAre("p@n"));
}

TEST_F(DriverTest, AProgramThatStopsLeavesTheRest) {
  start();
  apply(model::added(node("n")));
  const drive::Driver& driver = drive_core();
  stops_after_ = 1;
  run({{pod("a"), pod("b")}, {pod("c")}});
  EXPECT_THAT(results, ElementsAre("input", "a scheduled n"));
  EXPECT_FALSE(driver.input_ended());
  EXPECT_EQ(driver.waiting(), 1);
}

}  // namespace
}  // namespace berth::tests
