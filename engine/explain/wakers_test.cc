#include "engine/explain/wakers.h"

#include <gmock/gmock.h>

#include <fstream>

#include "engine/explain/testing.h"

namespace berth::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using WakersTest = ExplanationTest;

Texts names(const Explanation::Waker& waker) {
  Texts names;
  for (const auto& event : waker.events) names.push_back(event.name + (event.always ? "!" : ""));
  return names;
}

TEST_F(WakersTest, EachPluginThatRefusedANodeHasItsEvents) {
  model::Node tainted = node("tainted");
  tainted.taints = {{"team", "blue", "NoSchedule"}};
  add(tainted);
  add(node("small", "1"));
  const Explanation explanation = explain(pod("p", "2"));
  ASSERT_EQ(explanation.wakers.size(), 2u);
  EXPECT_EQ(explanation.wakers[0].plugin, "NodeResourcesFit");
  EXPECT_THAT(names(explanation.wakers[0]),
              ElementsAre("AssignedPod/Delete", "AssignedPod/UpdatePodScaleDown",
                          "UnschedulablePod/Delete", "UnschedulablePod/UpdatePodScaleDown",
                          "Node/Add", "Node/UpdateNodeAllocatable", "Node/UpdateNodeTaint!"));
  EXPECT_EQ(explanation.wakers[1].plugin, "TaintToleration");
  const std::string text = to_text(explanation);
  EXPECT_THAT(text, HasSubstr("\n  NodeResourcesFit   AssignedPod/Delete, "));
  EXPECT_THAT(text, HasSubstr("Node/UpdateNodeTaint (each)\n"));
  EXPECT_THAT(to_json(explanation), HasSubstr("\"event\": \"Node/UpdateNodeTaint\",\n"
                                              "          \"always\": true"));
}

TEST_F(WakersTest, AFilterThatRefusesNodesBehindAnotherDoesNotCount) {
  model::Node both = node("both", "1");
  both.unschedulable = true;
  add(both);
  const Explanation explanation = explain(pod("p", "2"));
  ASSERT_EQ(explanation.wakers.size(), 1u);
  EXPECT_EQ(explanation.wakers[0].plugin, "NodeUnschedulable");
}

TEST_F(WakersTest, EveryEventWakesPodsOfAPluginWithoutHints) {
  const std::string path = ::testing::TempDir() + "berth_wakers_rack.yaml";
  std::ofstream(path) << "apiVersion: kubescheduler.config.k8s.io/v1\n"
                         "kind: KubeSchedulerConfiguration\n"
                         "profiles: [{plugins: {multiPoint: {enabled: [{name: Rack}]}}}]\n";
  start(config::load(path));
  model::Node other = node("a");
  other.labels = {{"example.com/rack", "r1"}};
  add(other);
  model::Pod p = pod("p");
  p.spec.labels = {{"example.com/rack", "r2"}};
  const Explanation explanation = explain(p);
  ASSERT_EQ(explanation.wakers.size(), 1u);
  EXPECT_THAT(names(explanation.wakers[0]), ElementsAre("*/All!"));
}

TEST_F(WakersTest, AGatedPodWaitsForTheEndOfItsGates) {
  add(node("a"));
  model::Pod gated = pod("p");
  gated.spec.scheduling_gates = {"wait"};
  const Explanation explanation = explain(gated);
  ASSERT_EQ(explanation.wakers.size(), 1u);
  EXPECT_THAT(names(explanation.wakers[0]),
              ElementsAre("AssignedPod/UpdatePodSchedulingGatesEliminated",
                          "UnschedulablePod/UpdatePodSchedulingGatesEliminated"));
}

TEST_F(WakersTest, NothingWakesOtherPods) {
  EXPECT_THAT(to_text(explain(pod("without-nodes"))), HasSubstr("No plugin refused the pod"));
  add(node("a"));
  const Explanation scheduled = explain(pod("p"));
  EXPECT_THAT(scheduled.wakers, IsEmpty());
  EXPECT_THAT(to_text(scheduled), Not(HasSubstr("Woken")));
  EXPECT_THAT(to_json(scheduled), Not(HasSubstr("wokenBy")));
}

}  // namespace
}  // namespace berth::explain
