// Kubelets that a run plays, with the core.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "tests/runtime/controllers/kubelets.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(KubeletsTest, WithoutMeasuresTheyCostNothing) {
  configure(below("1Gi"));
  add("a");
  EXPECT_FALSE(core->next_due());
  EXPECT_FALSE(core->unfinished());
}

TEST_F(KubeletsTest, ThePodThatUsesTheMostAboveItsRequestGoes) {
  configure(below("1Gi"));
  add("fair", 0, 4 * kGibi);
  add("greedy");
  add("small");
  use("fair", 4 * kGibi);
  use("greedy", 4 * kGibi);
  use("small", kGibi + 1);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("greedy disrupted: TerminationByKubelet"));
  EXPECT_THAT(messages,
              ElementsAre("The node was low on resource: memory. Threshold quantity: 1Gi, "
                          "available: 1073741823. Container c was using 4Gi, request is 0, has "
                          "larger consumption of memory. "));
  EXPECT_TRUE(find("greedy")) << "its containers have a second";
  pass(1s);
  EXPECT_FALSE(find("greedy"));
  EXPECT_THAT(take_events(), ElementsAre("EvictionThresholdMet n", "Evicted greedy"));
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_FALSE(core->unfinished());
}

TEST_F(KubeletsTest, OnePodARoundUntilTheMinimumIsReclaimed) {
  model::KubeletConfiguration how = below("1Gi");
  how.minimum_reclaim = {{"memory.available", "2Gi"}};
  configure(how);
  for (const char* name : {"a", "b", "c", "d"}) {
    add(name);
    use(name, 2 * kGibi);
  }
  use_node(9 * kGibi + kMebi);  // so the system uses 1Gi and 1Mi
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
  pass(1s);
  EXPECT_THAT(take(), IsEmpty());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("b disrupted: TerminationByKubelet"));
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(KubeletsTest, TheSystemMayBeMeasuredAlone) {
  configure(below("1Gi"));
  add("a");
  use("a", 3 * kGibi);
  apply(boxed("NodeMetrics", "n",
              {model::NodeMetrics{.usage = {.memory = 6 * kGibi}, .beside_pods = true}}));
  pass(10s);
  EXPECT_THAT(take(), IsEmpty()) << "1Gi is left";
  use("a", 3 * kGibi + kMebi);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, TheUseOfAPodThatIsGoneIsPassedOver) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  pass(1min);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
  take_events();
  ASSERT_FALSE(find("a"));
  use("a", 10 * kGibi);
  add("b");
  use("b", kGibi);
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_THAT(take_events(), ElementsAre("NodeHasSufficientMemory n"));
  EXPECT_EQ(core->diagnostics().count(), 0u);
}

TEST_F(KubeletsTest, MeasuresMayComeInAnyOrder) {
  use("late", 4 * kGibi);
  use_node(10 * kGibi);
  configure(below("1Gi"));
  add("late");
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("late disrupted: TerminationByKubelet"));
  pass(1h);
  EXPECT_THAT(take(), IsEmpty()) << "the system uses 6Gi";
}

TEST_F(KubeletsTest, PressureTaintsTheNodeForTheTransitionPeriod) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  pass(11s);
  EXPECT_THAT(taints_of("n"), IsEmpty());
  pass(1s);  // the kubelet writes its status
  EXPECT_THAT(taints_of("n"), ElementsAre("memory-pressure:NoSchedule"));
  pass(5min - 2s);  // the round at 310 s
  EXPECT_THAT(taints_of("n"), ElementsAre("memory-pressure:NoSchedule"));
  pass(2s);
  EXPECT_THAT(taints_of("n"), IsEmpty());
  EXPECT_THAT(take_events(),
              ElementsAre("EvictionThresholdMet n", "Evicted a", "NodeHasInsufficientMemory n",
                          "NodeHasSufficientMemory n"));
  EXPECT_EQ(notes.back(), "Node n status is now: NodeHasSufficientMemory");
}

TEST_F(KubeletsTest, AnObjectOfTheNodeLeavesThePressure) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  pass(12s);
  model::Node again = sized("n");
  again.conditions = {{"Ready", "True"}, {"MemoryPressure", "False"}};
  apply(model::modified(again));
  EXPECT_THAT(taints_of("n"), ElementsAre("memory-pressure:NoSchedule"));
}

TEST_F(KubeletsTest, ASoftThresholdHasAGracePeriod) {
  model::KubeletConfiguration how;
  how.eviction_soft = {{"memory.available", "1Gi"}};
  how.eviction_soft_grace = {{"memory.available", "1m30s"}};
  how.most_grace_seconds = 20;
  configure(how);
  add("a");
  use("a", 8 * kGibi);
  use_node(9 * kGibi + kMebi);
  pass(99s);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_TRUE(core->unfinished());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
  pass(19s);
  EXPECT_TRUE(find("a"));
  pass(1s);
  EXPECT_FALSE(find("a"));
}

TEST_F(KubeletsTest, ALowerPriorityGoesFirst) {
  configure(below("1Gi"));
  add("low", -1);
  add("high", 7);
  use("low", kGibi);
  use("high", 9 * kGibi);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("low disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, DefaultsHoldWithoutAConfiguration) {
  add("a");
  use("a", 9 * kGibi - 100 * kMebi);
  use_node(10 * kGibi - 100 * kMebi);
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
  use_node(10 * kGibi - 100 * kMebi + 1);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, AConfigurationIsForTheNodesThatItSelects) {
  model::Node other = sized("other");
  other.labels = {{"pool", "small"}};
  apply(model::added(other));
  model::KubeletConfiguration strict = below("9Gi");
  strict.enforces_pods = false;
  strict.node_selector.emplace().match_expressions = {{"pool", "In", {"small"}}};
  configure(strict, "small");
  model::KubeletConfiguration lax = below("1Gi");
  configure(lax, "others");
  add("here");
  model::Pod there = requesting("there", 0);
  there.spec.node_name = "other";
  apply(model::added(of_template(there)));
  use("here", 2 * kGibi);
  use("there", 2 * kGibi);
  pass(1h);
  EXPECT_THAT(take(), ElementsAre("there disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, TwoConfigurationsForTheSameNodesAreNamed) {
  configure(below("1Gi"), "a");
  model::KubeletConfiguration other = below("2Gi");
  other.node_selector.emplace().match_expressions = {{"pool", "In", {"small"}}};
  configure(other, "b");
  configure(other, "b");
  EXPECT_EQ(core->diagnostics().count(), 0u);
  configure(other, "c");
  EXPECT_EQ(core->diagnostics().count(), 1u);
}

TEST_F(KubeletsTest, MeasuresOfPodsThatNeverWereThereAreTold) {
  add("a");
  add("b");
  use("a", kGibi);
  use("typo", kGibi);
  use("late", kGibi);
  apply(model::deleted_pod("default", "a"));
  use("a", kGibi);
  add("late");
  const ingest::Remarks::Named told = server->measured_without_pod();
  EXPECT_EQ(told.count, 1u);
  EXPECT_THAT(told.examples, ElementsAre("default/typo"));
}

TEST_F(KubeletsTest, AStoppedKubeletEvictsNobody) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  model::Node silent = sized("n");
  silent.annotations = {{"berth/kubelet", "stopped"}};
  apply(model::modified(silent));
  pass(49s);
  EXPECT_THAT(take(), IsEmpty());
  apply(model::modified(sized("n")));
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, APodThatIsEvictedDoesNotSucceedInItsGracePeriod) {
  model::KubeletConfiguration how;
  how.eviction_soft = {{"memory.available", "1Gi"}};
  how.eviction_soft_grace = {{"memory.available", "20s"}};
  how.most_grace_seconds = 60;
  configure(how);
  model::Pod ends = requesting("ends", 0);
  ends.spec.node_name = "n";
  ends.spec.termination_grace_seconds = 60;
  ends.spec.run = model::ContainerRun{Time(50s).count(), 0};
  apply(model::added(of_template(ends)));
  use("ends", 8 * kGibi);
  use_node(9 * kGibi + kMebi);
  pass(30s);
  EXPECT_THAT(take(), ElementsAre("ends disrupted: TerminationByKubelet"));
  pass(59s);
  EXPECT_TRUE(find("ends"));
  apply(model::modified(of_template(ends)));
  pass(1s);
  EXPECT_FALSE(find("ends"));
  EXPECT_THAT(take(), IsEmpty()) << "it has failed, whatever its containers exit with";
}

TEST_F(KubeletsTest, NobodyHearsOfAPodThatStopsOnASilentNode) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
  model::Node silent = sized("n");
  silent.annotations = {{"berth/kubelet", "stopped"}};
  apply(model::modified(silent));
  pass(1min);
  EXPECT_TRUE(find("a"));
  apply(model::modified(sized("n")));
  pass(0s);
  EXPECT_FALSE(find("a"));
}

TEST_F(KubeletsTest, APodComesToANodeOfWhosePressureTheSchedulerHasNotHeard) {
  configure(below("1Gi"));
  add("a");
  use("a", 10 * kGibi);
  pass(11s);
  take();
  schedule({requesting("late", 0)});
  EXPECT_THAT(take(), ElementsAre("late on n", "late bound to n"));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("late disrupted: Evicted"));
  EXPECT_EQ(messages.back(), "Pod was rejected: The node had condition: [MemoryPressure]. ");
  EXPECT_FALSE(find("late"));
  schedule({requesting("burstable", kMebi)});
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("burstable on n", "burstable bound to n"));
}

TEST_F(KubeletsTest, MirrorPodsStay) {
  configure(below("1Gi"));
  model::Pod fixed = requesting("fixed", 0);
  fixed.spec.node_name = "n";
  model::TemplatePod made = of_template(fixed);
  made.controller = model::Controller{"v1", "Node", "n", "n"};
  apply(model::added(made));
  use("fixed", 5 * kGibi);
  model::Pod marked = requesting("marked", 0);
  marked.spec.node_name = "n";
  marked.spec.mirror = true;
  apply(model::added(of_template(marked)));
  use("marked", 5 * kGibi);
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_FALSE(core->unfinished()) << "rounds find nothing that can go";
  EXPECT_THAT(taints_of("n"), ElementsAre("memory-pressure:NoSchedule"));
}

TEST_F(KubeletsTest, ADiskThatRunsFull) {
  model::Node disk = sized("n");
  disk.capacity.push_back({"berth/inodes", model::Quantity::from_units(1000)});
  disk.capacity.push_back({"ephemeral-storage", model::Quantity::from_units(100 * kGibi)});
  std::sort(disk.capacity.begin(), disk.capacity.end());
  apply(model::modified(disk));
  add("a");
  add("b");
  const auto measure = [&](const std::string& name, int64_t bytes, int64_t inodes) {
    apply(boxed("PodMetrics", name,
                {model::PodMetrics{{{"c", {.storage = bytes, .inodes = inodes}}}}}));
  };
  measure("a", 50 * kGibi, 10);
  measure("b", 36 * kGibi, 20);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
  EXPECT_THAT(messages.back(), HasSubstr("The node was low on resource: ephemeral-storage. "));
  pass(2s);
  EXPECT_THAT(taints_of("n"), ElementsAre("disk-pressure:NoSchedule"));
}

TEST_F(KubeletsTest, APodAboveALimitOfItsStorageGoes) {
  model::Pod limited = requesting("limited", 0);
  limited.spec.node_name = "n";
  limited.spec.containers[0].limits = {{"ephemeral-storage", model::Quantity::from_units(kGibi)}};
  apply(model::added(of_template(limited)));
  apply(boxed("PodMetrics", "limited", {model::PodMetrics{{{"c", {.storage = 2 * kGibi}}}}}));
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("limited disrupted: Evicted"));
  EXPECT_THAT(messages.back(), HasSubstr("exceeds the total limit of containers 1Gi"));
}

TEST_F(KubeletsTest, WhatIsReservedExplainsTheCapacity) {
  model::Node plain = sized("plain");
  plain.capacity.clear();
  apply(model::added(plain));
  model::KubeletConfiguration how = below("1Gi");
  how.enforces_pods = false;
  how.reserved = {{"memory", model::Quantity::from_units(2 * kGibi)}};
  configure(how);
  model::Pod it = requesting("a", 0);
  it.spec.node_name = "plain";
  apply(model::added(of_template(it)));
  use("a", 8 * kGibi);
  use_node(11 * kGibi, "plain");  // of 9Gi + 2Gi + 1Gi
  pass(10s);
  EXPECT_THAT(take(), IsEmpty());
  use_node(11 * kGibi + 1, "plain");
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("a disrupted: TerminationByKubelet"));
}

TEST_F(KubeletsTest, TheKernelKillsWhatUsesTheMostAboveItsRequest) {
  configure(below("1Gi"));
  add("asks", 0, 6 * kGibi);
  add("grows", 0, kGibi);
  use("asks", 6 * kGibi);
  use("grows", 4 * kGibi + kMebi);
  pass(0s);
  EXPECT_THAT(take_events(), ElementsAre("OOMKilled grows"));
  EXPECT_EQ(notes.back(), "The node is out of memory: container c is killed and starts again");
  pass(1h);
  EXPECT_THAT(take(), IsEmpty()) << "it uses nothing until it is measured again";
  EXPECT_TRUE(find("grows"));
  use("grows", 4 * kGibi - kMebi);
  pass(10s);
  EXPECT_THAT(take(), ElementsAre("grows disrupted: TerminationByKubelet"));
}

}  // namespace
}  // namespace berth::tests
