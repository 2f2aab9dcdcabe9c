// Overlays of nominated rows that remain from one decision to the next change no decision.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

constexpr uint32_t kOverlaidNodes = 100;
constexpr int64_t kFull = 1000;  // milli-CPU of a node

// "Small" refuses nodes that are full, with nominated pods or without.
class OverlaidRows : public ::testing::Test {
 protected:
  OverlaidRows() : world_(kOverlaidNodes) {
    small_.filter_hook.inputs = {"node.requested:cpu"};
    small_.filter = [this](const FakeCall& call, size_t i) -> uint8_t {
      if (call.at<int64_t>(0, i) >= fails_from_) return BERTH_ERROR;
      return call.at<int64_t>(0, i) < kFull ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
    };
    small_.score = [](const FakeCall&, size_t) -> int64_t { return 0; };  // all nodes are looked at
    profile_ = world_.profile({&small_});
    for (const Evaluation evaluation : {Evaluation::kIncremental, Evaluation::kReference}) {
      evaluators_.push_back(make_evaluator(evaluation, world_.cluster(), world_.calls(),
                                           FullOptions{.ranking_from = 1}));
      deciders_.push_back(decider(*evaluators_.back()));
    }
    expect_feasible(kOverlaidNodes);
    expect_feasible(kOverlaidNodes);  // the ranking is there
  }

  model::Cluster& cluster() { return world_.cluster(); }

  std::unique_ptr<Decider> decider(Evaluator& evaluator) {
    return std::make_unique<Decider>(cluster(), evaluator, world_.calls(),
                                     DecideOptions{.percentage_of_nodes_to_score = 100});
  }

  model::PodId add(int32_t priority, int64_t milli_cpu, const std::string& nominated = "") {
    model::Pod pod = FakeWorld::pod("p" + std::to_string(pods_++), milli_cpu);
    pod.spec.priority = priority;
    pod.nominated_node_name = nominated;
    return world_.add(pod).id;
  }
  model::PodId nominate(uint32_t node, int32_t priority = 1) {
    const model::PodId pod = add(priority, kFull, "n" + std::to_string(node));
    cluster().nominate(pod);
    return pod;
  }
  void place(model::Row row, int64_t milli_cpu) { cluster().place(add(0, milli_cpu), row); }

  // Both evaluations find so many feasible nodes for a pod that is new, and the same one.
  void expect_feasible(uint32_t nodes, int32_t priority = 0) {
    const model::PodId pod = add(priority, 1);
    const Request request{.pod = &cluster().pod(pod), .start = 0};
    std::vector<Decision> made;
    for (const auto& one : deciders_) made.push_back(one->decide(*profile_, request));
    EXPECT_EQ(made[0].feasible, nodes) << "of a pod of priority " << priority;
    EXPECT_EQ(made[1].feasible, nodes);
    EXPECT_EQ(made[0].row, made[1].row);
    EXPECT_EQ(made[0].message, made[1].message);
    cluster().remove_pod(pod);
  }

  FakeWorld world_;
  FakePlugin small_{"Small"};
  int64_t fails_from_ = INT64_MAX;  // milli-CPU of a node
  std::unique_ptr<Profile> profile_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::vector<std::unique_ptr<Decider>> deciders_;
  uint32_t pods_ = 0;
};

TEST_F(OverlaidRows, RemainUntilTheNominationGoes) {
  const model::PodId first = nominate(3), second = nominate(70);
  for (int i = 0; i < 3; ++i) expect_feasible(kOverlaidNodes - 2);
  cluster().remove_pod(first);
  for (int i = 0; i < 3; ++i) expect_feasible(kOverlaidNodes - 1);
  cluster().withdraw_nomination(second);
  for (int i = 0; i < 3; ++i) expect_feasible(kOverlaidNodes);
}

TEST_F(OverlaidRows, MayGetASecondNomination) {
  const model::PodId first = nominate(3);
  expect_feasible(kOverlaidNodes - 1);
  const model::PodId second = nominate(3);
  expect_feasible(kOverlaidNodes - 1);
  cluster().remove_pod(first);
  expect_feasible(kOverlaidNodes - 1);
  cluster().remove_pod(second);
  expect_feasible(kOverlaidNodes);
}

TEST_F(OverlaidRows, AreThoseThatThePodSees) {
  nominate(3, 1);
  nominate(4, 3);
  for (int i = 0; i < 2; ++i) {
    expect_feasible(kOverlaidNodes - 2, 0);
    expect_feasible(kOverlaidNodes - 1, 2);
    expect_feasible(kOverlaidNodes - 1, 2);
    expect_feasible(kOverlaidNodes, 4);
  }
}

// The filter is asked about all rows where more than a third of them changed, and others in what it
// does not read.
TEST_F(OverlaidRows, RemainWhereManyOthersChange) {
  nominate(0);
  nominate(99);
  expect_feasible(kOverlaidNodes - 2);
  for (model::Row row = 1; row < 61; ++row) place(row, 10);
  model::Node cordoned = FakeWorld::node("n80");
  cordoned.unschedulable = true;
  cluster().put_node(cordoned);
  expect_feasible(kOverlaidNodes - 2);
  for (model::Row row = 1; row < 61; ++row) place(row, kFull);
  expect_feasible(kOverlaidNodes - 62);
  expect_feasible(kOverlaidNodes - 62);
}

TEST_F(OverlaidRows, ChangeWithTheirOwnPods) {
  nominate(5);
  expect_feasible(kOverlaidNodes - 1);
  place(5, kFull);  // refused without the nominated pod, too
  expect_feasible(kOverlaidNodes - 1);
  place(6, kFull);
  expect_feasible(kOverlaidNodes - 2);
}

TEST_F(OverlaidRows, MoveWithNodesThatComeAndGo) {
  nominate(50);
  expect_feasible(kOverlaidNodes - 1);
  cluster().remove_node("n10");
  cluster().order_rows();
  expect_feasible(kOverlaidNodes - 2);
  cluster().put_node(FakeWorld::node("another"));
  cluster().order_rows();
  expect_feasible(kOverlaidNodes - 1);
  cluster().remove_node("n50");
  cluster().order_rows();
  expect_feasible(kOverlaidNodes - 1);
  expect_feasible(kOverlaidNodes - 1);
}

// A row whose filter fails with the nominated pod is asked about in each decision.
TEST_F(OverlaidRows, AreNotKeptWhereAFilterFails) {
  nominate(3);
  expect_feasible(kOverlaidNodes - 1);
  nominate(3);
  fails_from_ = 2 * kFull;
  const model::PodId pod = add(0, 1);
  for (const auto& one : deciders_)
    EXPECT_EQ(one->decide(*profile_, {.pod = &cluster().pod(pod), .start = 0}).outcome,
              Outcome::kError);
  fails_from_ = INT64_MAX;
  cluster().remove_pod(pod);
  expect_feasible(kOverlaidNodes - 1);
}

// Each decider numbers the kinds of pods that it keeps answers for.
TEST_F(OverlaidRows, AreNotThoseOfAnotherDecider) {
  nominate(3, 5);
  expect_feasible(kOverlaidNodes - 1, 0);
  deciders_[0] = decider(*evaluators_[0]);
  expect_feasible(kOverlaidNodes, 6);
  expect_feasible(kOverlaidNodes - 1, 0);
}

}  // namespace
}  // namespace berth::framework
