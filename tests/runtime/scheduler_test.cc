// The path of pods from the queue to the binding.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/host/faults/fault_reports.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kPickyBinds[] =
    R"([{"schedulerName":"default-scheduler","plugins":{"bind":
       {"disabled":[{"name":"DefaultBinder"}],"enabled":[{"name":"Picky"}]}}}])";
constexpr char kPickyThenDefault[] =
    R"([{"schedulerName":"default-scheduler","plugins":{"bind":
       {"disabled":[{"name":"*"}],"enabled":[{"name":"Picky"},{"name":"DefaultBinder"}]}}}])";
constexpr char kPickyAdmits[] =
    R"([{"schedulerName":"default-scheduler","plugins":
       {"reserve":{"enabled":[{"name":"Picky"}]},"permit":{"enabled":[{"name":"Picky"}]}}}])";

class SchedulerTest : public CoreTest {
 protected:
  static model::Pod of_priority(const std::string& name, int32_t priority) {
    model::Pod made = pod(name);
    made.spec.priority = priority;
    return made;
  }
  static model::Pod asking(const std::string& name, int32_t priority, int64_t cpu) {
    model::Pod made = of_priority(name, priority);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpu)}};
    return made;
  }
  // Nominated to "n", and dropped when it is popped, because it terminates.
  static model::Pod dropped(const std::string& name, int32_t priority) {
    model::Pod made = asking(name, priority, 8);
    made.nominated_node_name = "n";
    made.terminating = true;
    return made;
  }
  // The calls of a hook of all plugins.
  uint64_t calls_of(const std::string& hook) {
    const host::HookTable& hooks = core->hooks();
    uint64_t calls = 0;
    for (host::HookId id = 1; id <= hooks.size(); ++id)
      if (hooks.name(id).hook == hook) calls += core->calls().counts(id).calls;
    return calls;
  }
};

TEST_F(SchedulerTest, TheHighestPriorityGoesFirst) {
  start();
  cluster().put_node(node("n", 3));
  schedule({of_priority("low", -5), pod("first"), of_priority("high", 10), pod("second"),
            of_priority("higher", 2'000'000'000)});
  EXPECT_THAT(results, ElementsAre("higher scheduled n", "high scheduled n", "first scheduled n",
                                   "second unschedulable", "low unschedulable"));
  EXPECT_THAT(bindings.all, ElementsAre("higher@n", "high@n", "first@n"));
  EXPECT_EQ(messages.back(), "0/1 nodes are available: 1 Too many pods.");
}

TEST_F(SchedulerTest, GatedPodsStayOutside) {
  start();
  cluster().put_node(node("n"));
  model::Pod gated = pod("gated");
  gated.spec.scheduling_gates = {"example.com/a", "example.com/b"};
  schedule({gated, pod("free")});
  EXPECT_THAT(results, ElementsAre("gated gated by SchedulingGates", "free scheduled n"));
  EXPECT_EQ(messages[0], "waiting for scheduling gates: [example.com/a example.com/b]");
  EXPECT_EQ(core->scheduler().decisions().count(), 1u);
}

TEST_F(SchedulerTest, PodsOfOtherSchedulersAreLeftAlone) {
  start();
  cluster().put_node(node("n"));
  model::Pod other = pod("other"), unnamed = pod("unnamed"), named = pod("named");
  other.spec.scheduler_name = "somebody-else";
  named.spec.scheduler_name = "default-scheduler";
  schedule({other, unnamed, named});
  EXPECT_THAT(results, ElementsAre("other ignored", "unnamed scheduled n", "named scheduled n"));
  EXPECT_THAT(messages[0], HasSubstr("somebody-else"));
}

TEST_F(SchedulerTest, EachProfileHasItsPods) {
  start(R"([{"schedulerName":"default-scheduler"},
            {"schedulerName":"packer","plugins":{"filter":{"disabled":[{"name":"*"}]}}}])");
  cluster().put_node(node("full", 0));
  model::Pod packed = pod("packed");
  packed.spec.scheduler_name = "packer";
  schedule({pod("usual"), packed, pod("again")});
  EXPECT_THAT(results, testing::UnorderedElementsAre("usual unschedulable", "packed scheduled full",
                                                     "again unschedulable"));
  EXPECT_THAT(bindings.all, ElementsAre("packed@full"));
}

TEST_F(SchedulerTest, WithoutNodesNothingIsScheduled) {
  start();
  schedule({pod("p")});
  EXPECT_THAT(results, ElementsAre("p unschedulable"));
  EXPECT_EQ(messages[0], "no nodes available to schedule pods");
  cluster().put_node(node("n"));
  schedule({pod("q")});
  cluster().remove_node("n");
  schedule({pod("r")});
  EXPECT_THAT(results, ElementsAre("p unschedulable", "q scheduled n", "r unschedulable"));
}

TEST_F(SchedulerTest, BatchesOfBindingsKeepTheOrderOfDecisions) {
  start();
  for (int i = 0; i < 7; ++i) cluster().put_node(node("n" + std::to_string(i), 1000));
  std::vector<model::Pod> pods;
  for (int i = 0; i < 600; ++i) pods.push_back(pod("p" + std::to_string(i)));
  schedule(pods);
  ASSERT_EQ(bindings.all.size(), 600u);
  for (size_t i = 0; i < 600; ++i)
    EXPECT_TRUE(bindings.all[i].starts_with("p" + std::to_string(i) + "@")) << bindings.all[i];
  EXPECT_EQ(cluster().placed_pods(), 600u);
}

TEST_F(SchedulerTest, BindingFailuresNameTheirPods) {
  start(kPickyBinds);
  cluster().put_node(node("n", 1000));
  std::vector<model::Pod> pods;
  for (int i = 0; i < 300; ++i)
    pods.push_back(pod((i % 100 == 7 ? "fail-" : "good-") + std::to_string(i)));
  schedule(pods);
  EXPECT_EQ(std::count_if(results.begin(), results.end(),
                          [](const std::string& line) { return line.ends_with(" error"); }),
            3);
  for (const char* name : {"fail-7", "fail-107", "fail-207"}) {
    EXPECT_THAT(results, testing::Contains(std::string(name) + " error"));
    EXPECT_FALSE(is_placed(name));
  }
  ASSERT_EQ(bound.size(), 297u);
  EXPECT_EQ(cluster().text(cluster().pod(bound[7]).name), "good-8");
  EXPECT_EQ(cluster().pod(bound[7]).state, model::PodState::kBound);
}

// Profiles that alternate share batches: their bindings keep the order of the decisions all the
// same.
TEST_F(SchedulerTest, BindingsOfSeveralProfilesKeepTheOrderOfDecisions) {
  start(R"([{"schedulerName":"default-scheduler"},{"schedulerName":"other"}])");
  cluster().put_node(node("n", 1000));
  std::vector<model::Pod> pods;
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    pods.push_back(of_priority("p" + std::to_string(i), 100 - i));
    if (i % 2 == 1) pods.back().spec.scheduler_name = "other";
    expected.push_back("p" + std::to_string(i) + "@n");
  }
  schedule(pods);
  EXPECT_EQ(bindings.all, expected);
  // One batch, in which each profile's Bind is called once.
  EXPECT_EQ(calls_of("Bind"), 2u);
}

// A pod that is tried again would otherwise meet the same node each time.
TEST_F(SchedulerTest, EachAttemptDrawsAnewAmongEqualNodes) {
  constexpr int kNodes = 64;
  tie_break = framework::TieBreak::kRandom;
  const auto outcome = [&](bool refused_first) {
    start();
    results.clear();
    for (int i = 0; i < kNodes; ++i)
      cluster().put_node(node("n" + std::to_string(i), refused_first ? 0 : 110));
    schedule({pod("p")});
    if (refused_first) {
      EXPECT_THAT(results, ElementsAre("p unschedulable"));
      for (int i = 0; i < kNodes; ++i) apply(model::modified(node("n" + std::to_string(i))));
      core->run_until_idle();
    }
    return results.back();
  };
  const std::string first = outcome(false);
  EXPECT_THAT(first, HasSubstr("p scheduled n"));
  EXPECT_EQ(outcome(false), first);
  const std::string second = outcome(true);
  EXPECT_THAT(second, HasSubstr("p scheduled n"));
  EXPECT_NE(second, first);
}

// Nodes are ordered when a decision needs them: once, however many came and went before it.
TEST_F(SchedulerTest, NodesAreOrderedOnceForADecision) {
  start();
  uint64_t seen = 0;
  const auto orderings = [&] {
    const model::ChangeLog& log = cluster().log();
    EXPECT_TRUE(log.holds(seen));
    uint64_t found = 0;
    for (; seen < log.end(); ++seen) {
      const model::ChangeLog::Entry& entry = log.at(seen);
      found += entry.table == model::Table::kNodes && entry.row == model::kEveryRow &&
               entry.changes == model::change::kAll;
    }
    return found;
  };
  // The search takes a node of each zone in turn, so each node in an earlier zone changes the
  // order.
  const auto add = [&](const std::string& name, int zone) {
    model::Node made = node(name);
    made.labels = {{"topology.kubernetes.io/zone", "z" + std::to_string(zone)}};
    apply(model::added(made));
  };
  for (int i = 0; i < 30; ++i) add("n" + std::to_string(i), i / 10);
  EXPECT_EQ(orderings(), 0u);
  schedule({pod("a")});
  EXPECT_EQ(orderings(), 1u);
  schedule({pod("b"), pod("c")});
  EXPECT_EQ(orderings(), 0u);
  for (int i = 0; i < 10; ++i) {
    apply(model::deleted(node("n" + std::to_string(i))));
    add("m" + std::to_string(i), i % 3);
  }
  EXPECT_EQ(orderings(), 0u);
  schedule({pod("d"), pod("e")});
  EXPECT_EQ(orderings(), 1u);
}

TEST_F(SchedulerTest, ABindingThatFailsGivesTheNodeBack) {
  start(kPickyBinds);
  cluster().put_node(node("n", 2));
  schedule({pod("fail-1"), pod("good")});
  EXPECT_THAT(results, ElementsAre("fail-1 scheduled n", "good scheduled n", "fail-1 error"));
  EXPECT_EQ(messages[2], "running Bind plugin \"Picky\": its name says so");
  EXPECT_FALSE(is_placed("fail-1"));
  EXPECT_TRUE(is_placed("good"));
  EXPECT_THAT(bindings.all, ElementsAre("good@n"));
  schedule({pod("after"), pod("too-many")});
  EXPECT_EQ(results[3], "after scheduled n");
  EXPECT_EQ(results[4], "too-many unschedulable");
}

TEST_F(SchedulerTest, APodThatAllBindersSkipIsNotBound) {
  start(kPickyBinds);
  cluster().put_node(node("n"));
  schedule({pod("skip-1")});
  EXPECT_THAT(results, ElementsAre("skip-1 scheduled n", "skip-1 error"));
  EXPECT_THAT(messages[1], HasSubstr("skipped"));
  EXPECT_FALSE(is_placed("skip-1"));
  EXPECT_TRUE(bindings.all.empty());
}

TEST_F(SchedulerTest, APluginThatDoesNotReturnEndsTheProcessByName) {
  using std::chrono::milliseconds;
  EXPECT_EXIT(
      {
        start(kPickyBinds, {milliseconds(100), milliseconds(200), {}});
        cluster().put_node(node("n"));
        schedule({pod("hang-1")});
      },
      testing::ExitedWithCode(host::kEndedByPlugin),
      "plugin \"Picky\" has not returned from Bind of pod \"default/hang-1\" for 200 ms");
}

TEST_F(SchedulerTest, TheNextBinderTakesWhatOneSkips) {
  start(kPickyThenDefault);
  cluster().put_node(node("n"));
  schedule({pod("skip-1"), pod("good"), pod("skip-2")});
  EXPECT_EQ(results.size(), 3u);
  EXPECT_THAT(bindings.all, testing::UnorderedElementsAre("skip-1@n", "good@n", "skip-2@n"));
  EXPECT_EQ(cluster().placed_pods(), 3u);
}

TEST_F(SchedulerTest, AReserveThatRefusesTakesThePodBack) {
  start(kPickyAdmits);
  cluster().put_node(node("n", 1));
  schedule({pod("unreserved"), pod("good")});
  EXPECT_THAT(results, ElementsAre("unreserved unschedulable", "good scheduled n"));
  EXPECT_THAT(messages[0], HasSubstr("nothing left to reserve"));
  EXPECT_FALSE(is_placed("unreserved"));
  EXPECT_THAT(bindings.all, ElementsAre("good@n"));
}

TEST_F(SchedulerTest, APermitThatWantsToWaitHoldsThePodOnItsNode) {
  start(kPickyAdmits);
  cluster().put_node(node("n"));
  schedule({pod("wait-1"), pod("good")});
  EXPECT_THAT(results, ElementsAre("wait-1 scheduled n", "good scheduled n"));
  EXPECT_TRUE(is_placed("wait-1"));
  EXPECT_EQ(cluster().pod(find("wait-1")).state, model::PodState::kPermitWaiting);
  EXPECT_THAT(bindings.all, ElementsAre("good@n"));
}

TEST_F(SchedulerTest, ANominatedNodeIsTakenAtOnceAndLeavesTheStartAlone) {
  start();
  for (const char* name : {"a", "b", "c"}) cluster().put_node(node(name));
  core->scheduler().decisions().set_start_index(2);
  model::Pod nominated = pod("p");
  nominated.nominated_node_name = "b";
  schedule({nominated});
  EXPECT_THAT(results, ElementsAre("p scheduled b"));
  EXPECT_EQ(core->scheduler().decisions().start_index(), 2u);
  EXPECT_TRUE(cluster().nodes().nominations().slots().empty());
}

// A PreFilter reads who is nominated, and is asked again when that changes.
TEST_F(SchedulerTest, NominatedPodsAreATable) {
  start(R"([{"schedulerName":"default-scheduler","plugins":
       {"preFilter":{"enabled":[{"name":"Picky"}]}}}])");
  cluster().put_node(node("n"));
  model::Pod waiting = of_priority("waiting", 5);
  waiting.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
  waiting.nominated_node_name = "n";
  schedule({of_priority("before", 4)});
  const model::PodId id = core->door().add(waiting);
  cluster().nominate(id);
  model::Pod elsewhere = of_priority("elsewhere", 4);
  elsewhere.namespace_name = "other";
  schedule({of_priority("below", 4), of_priority("above", 6), elsewhere});
  EXPECT_NE(messages[2].find("nominated pods come first"), std::string::npos);
  cluster().withdraw_nomination(id);
  schedule({of_priority("after", 4)});
  model::Pod own = waiting;
  own.name = "own";
  schedule({own});
  EXPECT_THAT(results,
              ElementsAre("before scheduled n", "above scheduled n", "below unschedulable",
                          "elsewhere scheduled n", "after scheduled n", "own scheduled n"));
}

// Pods of lower priority cannot use the room of a nominated pod.
TEST_F(SchedulerTest, ANominationHoldsRoomAgainstPodsBelow) {
  start();
  cluster().put_node(node("n", 1));
  model::Pod waiting = of_priority("waiting", 5);
  waiting.nominated_node_name = "n";
  cluster().nominate(core->door().add(waiting));
  schedule({of_priority("below", 4)});
  schedule({of_priority("above", 6)});
  EXPECT_THAT(results, ElementsAre("below unschedulable", "above scheduled n"));
}

// It takes one place from pods of priority 0 and below.
TEST_F(SchedulerTest, ANominatedPodInNoQueueCountsAsAnEmptyPod) {
  start();
  cluster().put_node(node("n", 2));
  schedule({dropped("going", 5)});
  schedule({asking("below", 4, 5)});
  schedule({of_priority("zero", 0)});
  EXPECT_THAT(messages.back(), HasSubstr("Too many pods"));
  schedule({of_priority("one", 1)});
  EXPECT_THAT(results, ElementsAre("below scheduled n", "zero unschedulable", "one scheduled n"));
  EXPECT_EQ(cluster().fault(), "");
}

TEST_F(SchedulerTest, AnEmptyNominationIsWholeAgainWhileThePodIsQueued) {
  start();
  cluster().put_node(node("n"));
  model::Pod going = dropped("going", 5);
  schedule({going});
  arrive({asking("first", 5, 1)});
  going.spec.labels = {{"a", "b"}};
  apply(model::modified(of_template(going)));  // it waits behind the other
  schedule({});
  schedule({asking("second", 5, 1)});
  EXPECT_THAT(results, ElementsAre("first unschedulable", "second scheduled n"));
  apply(model::deleted_pod("default", "going"));
  EXPECT_TRUE(cluster().nodes().nominations().slots().empty());
}

TEST_F(SchedulerTest, PreemptionDoesNotClearAnEmptyNomination) {
  start();
  cluster().put_node(node("n"));
  schedule({asking("victim", -1, 8)});
  schedule({dropped("going", 1)});
  schedule({asking("above", 6, 8)});
  EXPECT_TRUE(cluster().pod(find("victim")).terminating);
  EXPECT_TRUE(cluster().pod(find("above")).nominated);
  EXPECT_TRUE(cluster().pod(find("going")).nominated);
}

// A nominated pod is bound. Returns whether a pod that it keeps away by affinity goes on waiting.
class EndOfNominationTest : public SchedulerTest {
 protected:
  bool waits_on() {
    start();
    model::Node one = node("n");
    one.labels = {{"host", "n"}};
    cluster().put_node(one);
    model::Pod runs = pod("runs");
    runs.spec.labels = {{"app", "a"}};
    schedule({runs});
    model::Pod shy = pod("shy");
    model::PodAffinityTerm term;
    term.label_selector.emplace().match_labels = runs.spec.labels;
    term.topology_key = "host";
    shy.spec.affinity.pod_anti_affinity.emplace().required = {term};
    schedule({shy});
    EXPECT_EQ(place("shy"), queue::Place::kUnschedulable);
    model::Pod nominated = pod("nominated");
    nominated.spec.labels = runs.spec.labels;
    nominated.nominated_node_name = "n";
    schedule({nominated});
    EXPECT_TRUE(is_placed("nominated"));
    return place("shy") == queue::Place::kUnschedulable;
  }
};

// What was nominated has no node, so plugins that count by domain learn nothing from its end.
TEST_F(EndOfNominationTest, TellsOfAPodWithoutANode) {
  EXPECT_TRUE(waits_on());
  rules.set(Rule::kAffinityNominated, true);
  EXPECT_FALSE(waits_on());
}

TEST_F(EndOfNominationTest, IsNotToldIfBindingsAreQuiet) {
  rules = Rules(KubeVersion::k1_36);
  EXPECT_TRUE(waits_on());
}

}  // namespace
}  // namespace berth::tests
