// Faults that kube-scheduler once had between assuming a pod and binding it, each by the number of
// its issue or correction at github.com/kubernetes/kubernetes. Every test plays the history that
// led to the fault. The core audits its state after each step.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using Kind = binding::BindAnswer::Kind;
using model::PodState;
using testing::ElementsAre;
using testing::IsEmpty;

class HistoricalFaults : public CoreTest {
 protected:
  void SetUp() override {
    start();
    apply(model::added(node("a")));
  }
  static model::Pod big(const std::string& name) {  // a node has room for one
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(5)}};
    return made;
  }
  void cordon(const std::string& name) {
    model::Node closed = node(name);
    closed.unschedulable = true;
    apply(model::modified(closed));
  }
  // The pod counts on its node and its binding is not written yet.
  void assume(const model::Pod& pod) {
    update(pod);
    ASSERT_TRUE(core->step());
    ASSERT_EQ(state(pod.name), PodState::kBinding);
  }
  void update(const model::Pod& pod) { apply(model::modified(of_template(pod))); }
  void update_on(model::Pod pod, const std::string& node) {
    pod.spec.node_name = node;
    update(pod);
  }
  void remove(const std::string& name) { apply(model::deleted_pod("default", name)); }
  // Time passes until no pod backs off.
  void wait() {
    for (int second = 0; second < 30; ++second) {
      core->advance_to(core->now() + std::chrono::seconds(1));
      core->run_until_idle();
    }
  }
  PodState state(const std::string& name) { return cluster().pod(find(name)).state; }
  std::vector<std::string> on(const std::string& node) {
    std::vector<std::string> names;
    for (const model::PodId pod : core->cluster().pods_on(node))
      names.emplace_back(cluster().text(cluster().pod(pod).name));
    return names;
  }
};

// A binding failed in the background, and the pod was tried again while the cache still assumed
// it: it was assumed twice.
TEST_F(HistoricalFaults, Kubernetes26043_APodIsAssumedAgainAfterItsBindingFailed) {
  bindings.answers["p"] = {Kind::kFailed, "timeout"};
  schedule({big("p")});
  EXPECT_EQ(state("p"), PodState::kWaiting);
  EXPECT_THAT(on("a"), IsEmpty());
  wait();
  EXPECT_EQ(state("p"), PodState::kBound);
  EXPECT_THAT(on("a"), ElementsAre("p"));
  EXPECT_THAT(bindings.all, ElementsAre("p@a"));
}

// The assumed pod of a failed binding was not forgotten. Its next attempt went to another node, and
// the first kept its share.
TEST_F(HistoricalFaults, Kubernetes28883_AFailedBindingLeavesNothingOnTheFirstNode) {
  bindings.answers["p"] = {Kind::kFailed, "the server did not hear of it"};
  schedule({big("p")});
  cordon("a");
  apply(model::added(node("b")));
  wait();
  EXPECT_THAT(on("b"), ElementsAre("p"));
  EXPECT_THAT(on("a"), IsEmpty());
  apply(model::modified(node("a")));
  schedule({big("q")});
  EXPECT_THAT(on("a"), ElementsAre("q"));
}

// The update of a pod that was being bound put it into the queue again, so it was decided twice:
// the second decision saw the first as another pod.
TEST_F(HistoricalFaults, Kubernetes37232_AnUpdateDoesNotQueueAPodThatIsBeingBound) {
  apply(model::added(node("b")));
  model::Pod p = big("p");
  assume(p);
  p.spec.labels = {{"status", "written"}};
  update(p);
  EXPECT_FALSE(core->step());
  core->settle();
  wait();
  EXPECT_EQ(bindings.all.size(), 1u);
  EXPECT_EQ(on("a").size() + on("b").size(), 1u);
  EXPECT_EQ(results.size(), 1u);
}

// Pods were known by name. One that was deleted and created again was taken for the old one, on
// whose node it then was not: the cache called itself corrupted.
TEST_F(HistoricalFaults, Kubernetes42063_APodOfAnOldNameIsANewPod) {
  assume(big("p"));
  core->settle();
  ASSERT_THAT(on("a"), ElementsAre("p"));
  remove("p");
  cordon("a");
  apply(model::added(node("b")));
  model::Pod again = big("p");
  again.uid = "another";
  update(again);
  core->run_until_idle();
  EXPECT_THAT(on("a"), IsEmpty());
  EXPECT_THAT(on("b"), ElementsAre("p"));
  // The deletion is missed, and the third pod of the name is bound by somebody else.
  again.uid = "a third";
  update_on(again, "a");
  EXPECT_THAT(on("b"), IsEmpty());
  EXPECT_THAT(on("a"), ElementsAre("p"));
}

// Events told that a pod was on another node than the one that it was added to, and the scheduler
// died at its next update or removal.
TEST_F(HistoricalFaults, Kubernetes46347_APodIsUpdatedAndRemovedOnAnotherNodeThanKnown) {
  apply(model::added(node("b")));
  model::Pod p = big("p");
  update_on(p, "a");
  update_on(p, "b");
  EXPECT_THAT(on("a"), IsEmpty());
  EXPECT_THAT(on("b"), ElementsAre("p"));
  p.spec.labels = {{"app", "web"}};
  update_on(p, "b");
  remove("p");
  remove("p");
  EXPECT_THAT(on("b"), IsEmpty());
  EXPECT_EQ(core->fault(), "");
}

// A pod was assumed on one node and then added on another, as the server told; the cache kept both
// names, and the next update ended the program.
TEST_F(HistoricalFaults, Kubernetes55262_AnAssumedPodIsAddedOnAnotherNode) {
  model::Pod p = big("p");
  assume(p);
  apply(model::added(node("b")));
  bindings.answers["p"] = {Kind::kFailed, "pod p is already assigned to node b"};
  update_on(p, "b");
  EXPECT_EQ(state("p"), PodState::kBound);
  EXPECT_THAT(on("a"), IsEmpty());
  EXPECT_THAT(on("b"), ElementsAre("p"));
  p.spec.labels = {{"app", "web"}};
  update_on(p, "b");
  wait();
  EXPECT_THAT(on("b"), ElementsAre("p"));
  EXPECT_THAT(bindings.all, IsEmpty());
  remove("p");
  EXPECT_THAT(on("b"), IsEmpty());
}

// A StatefulSet's pod was deleted during its binding and created again under its name. The cache
// still assumed the old one, so the new one never could be.
TEST_F(HistoricalFaults, Kubernetes56682_APodIsCreatedAgainWhileTheOldOneIsAssumed) {
  assume(big("p"));
  bindings.answers["p"] = {Kind::kFailed, "pods p not found"};
  remove("p");
  EXPECT_THAT(on("a"), IsEmpty());
  model::Pod again = big("p");
  again.uid = "another";
  update(again);
  core->run_until_idle();
  EXPECT_EQ(state("p"), PodState::kBound);
  EXPECT_THAT(bindings.all, ElementsAre("p@a"));
}

// The server bound a pod and the answer was lost. The cache had heard of the binding, so the pod
// could be neither forgotten nor assumed again, and was tried for ever.
TEST_F(HistoricalFaults, Kubernetes101877_ABindingWhoseAnswerIsLostIsNotTriedAgain) {
  apply(model::added(node("b")));
  bindings.answers["seen"] = {Kind::kLostSeen, "transport is closing"};
  bindings.answers["unseen"] = {Kind::kLost, "transport is closing"};
  schedule({big("seen"), big("unseen")});
  EXPECT_EQ(state("seen"), PodState::kBound);
  EXPECT_EQ(state("unseen"), PodState::kBound);
  wait();
  EXPECT_EQ(bindings.all.size(), 2u);
  EXPECT_EQ(on("a").size(), 1u);
  EXPECT_EQ(on("b").size(), 1u);
}

}  // namespace
}  // namespace berth::tests
