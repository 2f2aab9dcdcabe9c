// Dry runs: verdicts of rows with pods added and removed, on one thread and on several.

#include "engine/framework/evaluation/rows/row_trial.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakeFailure;
using testing::FakePlugin;
using testing::FakeWorld;

constexpr uint32_t kNodes = 40;
constexpr int64_t kPodsOnRow = 6;

// Three filters. "Room" reads columns: the pods' requests fit 1000m. "Follower" reads none: its
// state counts the priorities of the pods that overlays add and remove, and may not be below -20.
// A third one, "Fixed", reads what no pod changes; it refuses row 12.
class RowTrialTest : public ::testing::Test {
 protected:
  RowTrialTest() {
    room_.filter_hook.inputs = {"node.requested:cpu", "node.pods"};
    room_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
      return call.at<int64_t>(0, i) <= 1000 ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
    };
    follower_.filter_hook.prepare = [](const berth_template&) -> int64_t { return 0; };
    follower_.filter = [](const FakeCall& call, size_t) -> uint8_t {
      return call.state() >= -20 ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    };
    fixed_.filter = [this](const FakeCall& call, size_t i) -> uint8_t {
      ++asked_;
      return call.at<uint32_t>(0, i) == 12 ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    };
    follower_.follow = [this](int64_t& state, const FakeCall& pod, uint32_t, int sign) {
      if (pod.at<int64_t>(0, 0) == broken_) throw FakeFailure{"cannot follow"};
      state += sign * pod.at<int64_t>(0, 0);
    };
  }
  ~RowTrialTest() override {
    trial_.reset();
    profile_.reset();
  }

  // Each row has pods of 200m to 400m, of priorities from 0 on.
  void start() {
    for (uint32_t row = 0; row < kNodes; ++row)
      for (int64_t i = 0; i < kPodsOnRow; ++i) {
        model::Pod pod = FakeWorld::pod("p" + std::to_string(row) + "-" + std::to_string(i),
                                        200 + (row * 7 + i * 50) % 201);
        pod.spec.priority = static_cast<int32_t>((row + i * 3) % 13);
        records_.push_back(&world_.add(pod));
        world_.cluster().place(records_.back()->id, row);
      }
    profile_ = world_.profile({&room_, &follower_, &fixed_});
    for (const model::PodRecord* record : records_)
      pods_.emplace_back(*profile_, world_.cluster(), *record);
    resolve();
    trial_.emplace(world_.cluster(), world_.calls());
  }
  void resolve() {
    preemptor_ = world_.cluster().record_of(FakeWorld::pod("preemptor"));
    context_.profile = profile_.get();
    context_.pod = &preemptor_;
    context_.resolve_filters(states_, world_.calls());
    context_.begin_filters(world_.cluster());
    context_.refresh_filters();
  }
  const TrialPod& pod(model::Row row, int64_t i) const { return pods_[row * kPodsOnRow + i]; }

  // As preemption does it: all pods go, and those come back without which the row passes.
  std::string dry_run(RowTrial& trial, model::Row row) const {
    trial.begin(context_, row);
    std::string said = words(trial.check());
    for (int64_t i = 0; i < kPodsOnRow; ++i) {
      trial.remove_pod(pod(row, i));
      said += words(trial.check());
    }
    for (int64_t i = 0; i < kPodsOnRow; ++i) {
      trial.add_pod(pod(row, i));
      const RowVerdict verdict = trial.check();
      said += words(verdict);
      if (verdict.refuser != kFeasible) trial.remove_pod(pod(row, i));
    }
    trial.reset();
    return said + words(trial.check());
  }
  static std::string words(const RowVerdict& verdict) {
    return std::to_string(verdict.refuser) + "/" + std::to_string(verdict.code) + verdict.error +
           " ";
  }

  FakePlugin room_{"Room"}, follower_{"Follower"}, fixed_{"Fixed"};
  std::atomic<int> asked_ = 0;  // calls of Fixed
  FakeWorld world_{kNodes};
  std::unique_ptr<Profile> profile_;
  std::vector<const model::PodRecord*> records_;
  std::vector<TrialPod> pods_;
  TemplateStates states_{Reuse::kShared};
  model::PodRecord preemptor_;
  DecisionContext context_;
  std::optional<RowTrial> trial_;
  int64_t broken_ = -1;
};

TEST_F(RowTrialTest, ColumnsFollowPods) {
  start();
  trial_->begin(context_, 0);
  EXPECT_EQ(trial_->check().refuser, 1);
  trial_->remove_pod(pod(0, 0));
  trial_->remove_pod(pod(0, 1));
  EXPECT_EQ(trial_->check().refuser, 1);
  trial_->remove_pod(pod(0, 4));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
  trial_->add_pod(pod(0, 4));
  EXPECT_EQ(trial_->check().refuser, 1);
  trial_->remove_pod(pod(0, 4));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
  trial_->reset();
  EXPECT_EQ(trial_->check().refuser, 1);
}

TEST_F(RowTrialTest, StatesOfPluginsFollowPods) {
  start();
  // Priorities on row 10: 10, 0, 3, 6, 9, 12.
  trial_->begin(context_, 10);
  for (int64_t i : {0, 1, 2, 3}) trial_->remove_pod(pod(10, i));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
  trial_->remove_pod(pod(10, 4));
  EXPECT_EQ(trial_->check().refuser, 2);
  EXPECT_EQ(trial_->check().code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  trial_->add_pod(pod(10, 0));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
  // The next row begins without these changes, and so does the same one.
  trial_->begin(context_, 11);
  for (int64_t i : {0, 1, 2}) trial_->remove_pod(pod(11, i));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
}

TEST_F(RowTrialTest, AFilterThatNoPodCanChangeIsAskedOncePerRow) {
  start();
  for (const model::Row row : {10u, 11u, 10u}) {
    asked_ = 0;
    trial_->begin(context_, row);
    for (int64_t i : {0, 1, 2}) trial_->remove_pod(pod(row, i));
    EXPECT_EQ(trial_->check().refuser, kFeasible);
    trial_->add_pod(pod(row, 0));
    trial_->remove_pod(pod(row, 0));
    EXPECT_EQ(trial_->check().refuser, kFeasible);
    EXPECT_EQ(asked_, 1) << row;
  }
  // Its refusal counts for that row each time, and for no other row.
  trial_->begin(context_, 12);
  for (int64_t i : {0, 1, 2}) trial_->remove_pod(pod(12, i));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(trial_->check().refuser, 3);
  // Outside of a trial every check asks.
  room_.filter = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
  asked_ = 0;
  RowFilter filters(world_.cluster(), world_.calls());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(filters.check(context_, 10).refuser, kFeasible);
  EXPECT_EQ(asked_, 2);
}

TEST_F(RowTrialTest, APluginThatCannotFollowFailsTheRow) {
  broken_ = 12;
  start();
  trial_->begin(context_, 10);
  for (int64_t i : {1, 5}) trial_->remove_pod(pod(10, i));
  const RowVerdict verdict = trial_->check();
  EXPECT_EQ(verdict.code, BERTH_ERROR);
  EXPECT_EQ(verdict.error, "running RemovePod on PreFilter plugin \"Follower\": cannot follow");
  trial_->reset();
  for (int64_t i : {0, 1, 2, 3}) trial_->remove_pod(pod(10, i));
  EXPECT_EQ(trial_->check().refuser, kFeasible);
}

// Nominated pods are added behind the changes: both filters see them, and both passes count.
TEST_F(RowTrialTest, NominationsArePartOfIt) {
  model::Pod nominated = FakeWorld::pod("nominated", 900);
  nominated.nominated_node_name = "n10";
  nominated.spec.priority = 25;
  world_.cluster().nominate(world_.add(nominated).id);
  start();
  trial_->begin(context_, 10);
  for (int64_t i = 0; i < kPodsOnRow; ++i) trial_->remove_pod(pod(10, i));
  // -40 alone; with the nominated pod -15, and 900m fit.
  EXPECT_EQ(trial_->check().refuser, 2);
  trial_->add_pod(pod(10, 0));
  trial_->add_pod(pod(10, 5));
  // -18 alone; but 900m and two pods do not fit.
  EXPECT_EQ(trial_->check().refuser, 1);
  // The filters of a decision see the state that follows the nominated pod, too.
  follower_.filter = [](const FakeCall& call, size_t) -> uint8_t {
    return call.state() == 25 ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  };
  room_.filter = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
  RowFilter filters(world_.cluster(), world_.calls());
  EXPECT_EQ(filters.check(context_, 10).refuser, 2);
  EXPECT_EQ(filters.check(context_, 11).refuser, kFeasible);
}

// A scratch copies the state of one decision; the next decision's may be another at its address.
TEST_F(RowTrialTest, TheNextDecisionBeginsNewScratches) {
  int64_t base = 0;
  follower_.filter_hook.prepare = [&](const berth_template&) -> int64_t { return base; };
  states_ = TemplateStates(Reuse::kFresh);
  start();
  for (base = 0; base > -40; base -= 10) {
    states_.begin();
    resolve();
    trial_->begin(context_, 10);
    for (int64_t i : {1, 2, 3, 0}) trial_->remove_pod(pod(10, i));  // -19
    EXPECT_EQ(trial_->check().refuser, base == 0 ? kFeasible : 2) << base;
  }
}

TEST_F(RowTrialTest, ThreadsComeToTheVerdictsOfTheSerialLoop) {
  model::Pod nominated = FakeWorld::pod("nominated", 300);
  nominated.spec.priority = 5;
  for (const char* node : {"n3", "n17", "n18"}) {
    nominated.name = std::string("nominated-") + node;
    nominated.nominated_node_name = node;
    world_.cluster().nominate(world_.add(nominated).id);
  }
  start();
  std::vector<std::string> expected;
  for (model::Row row = 0; row < kNodes; ++row) expected.push_back(dry_run(*trial_, row));
  EXPECT_GT(std::set<std::string>(expected.begin(), expected.end()).size(), 10u);

  std::vector<std::vector<std::string>> found(4, std::vector<std::string>(kNodes));
  std::vector<std::thread> threads;
  std::atomic<uint32_t> ready = 0;
  for (size_t number = 0; number < found.size(); ++number)
    threads.emplace_back([&, number] {
      host::CallContext calls;
      RowTrial trial(world_.cluster(), calls);
      // All begin together, each with another row.
      for (++ready; ready != found.size();) std::this_thread::yield();
      for (int round = 0; round < 3; ++round)
        for (model::Row i = 0; i < kNodes; ++i) {
          const auto row = static_cast<model::Row>((i + number * kNodes / 4) % kNodes);
          found[number][row] = dry_run(trial, row);
        }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, expected);
}

}  // namespace
}  // namespace berth::framework
