// Controllers that a run plays, with the core.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tests/runtime/controllers/testing.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ControllersTest : public PlayedTest {
 protected:
  void SetUp() override {
    start();
    keep_lines();
    apply(model::added(node("n")));
  }
  static model::Pod on(const std::string& node_name, const std::string& name,
                       std::vector<model::Toleration> tolerations = {}) {
    model::Pod it = pod(name);
    it.spec.node_name = node_name;
    it.spec.tolerations = std::move(tolerations);
    return it;
  }
  static model::Toleration tolerates(const std::string& key, std::optional<int64_t> seconds) {
    return {.key = key, .op = "Exists", .value = {}, .effect = "NoExecute", .seconds = seconds};
  }
  void add(const model::Pod& pod) { apply(model::added(of_template(pod))); }
  void change(const std::string& name, std::vector<model::Taint> taints,
              std::vector<model::NodeCondition> conditions = {},
              model::StringMap annotations = {}) {
    model::Node it = node(name);
    it.taints = std::move(taints);
    it.conditions = std::move(conditions);
    it.annotations = std::move(annotations);
    apply(model::modified(it));
  }
};

TEST_F(ControllersTest, PodsLeaveATaintThatTheyDoNotTolerate) {
  add(on("n", "plain"));
  add(on("n", "forever", {tolerates("k", {})}));
  add(on("n", "minute", {tolerates("k", 60)}));
  change("n", {{"k", "v", "NoExecute"}});
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("plain disrupted: DeletionByTaintManager"));
  EXPECT_TRUE(find("plain")) << "it terminates for its grace period";
  pass(30s);
  EXPECT_FALSE(find("plain"));
  pass(29s);
  EXPECT_THAT(take(), IsEmpty());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("minute disrupted: DeletionByTaintManager"));
  pass(1h);
  EXPECT_TRUE(find("forever"));
}

TEST_F(ControllersTest, ATaintThatGoesInTimeEvictsNobody) {
  add(on("n", "minute", {tolerates("k", 60)}));
  change("n", {{"k", "v", "NoExecute"}});
  pass(59s);
  change("n", {});
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_TRUE(find("minute"));
}

TEST_F(ControllersTest, APodThatIsBoundToATaintedNodeHasItsSecondsFromThen) {
  change("n", {{"k", "v", "NoExecute"}});
  model::Pod late = pod("late");
  late.spec.tolerations = {tolerates("k", 60)};
  pass(100s);
  schedule({late});
  EXPECT_THAT(take(), ElementsAre("late on n", "late bound to n"));
  pass(59s);
  EXPECT_THAT(take(), IsEmpty());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("late disrupted: DeletionByTaintManager"));
}

TEST_F(ControllersTest, ANodeThatIsNotReadyIsTaintedAndItsPodsGo) {
  apply(model::added(node("other")));
  add(on("n", "p", {tolerates("node.kubernetes.io/not-ready", 300)}));
  pass(7s);
  change("n", {}, {{"Ready", "False"}});
  EXPECT_THAT(taints_of("n"), ElementsAre("not-ready:NoSchedule"));
  pass(3s);  // the next look
  EXPECT_THAT(taints_of("n"), ElementsAre("not-ready:NoSchedule"));
  pass(50ms);  // and the pass that comes after it
  EXPECT_THAT(taints_of("n"), ElementsAre("not-ready:NoSchedule", "not-ready:NoExecute"));
  pass(299s);
  EXPECT_THAT(take(), IsEmpty());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("p disrupted: DeletionByTaintManager"));
  EXPECT_THAT(taints_of("other"), IsEmpty());
}

TEST_F(ControllersTest, AKubeletThatStopsIsFoundOut) {
  apply(model::added(node("other")));
  pass(33s);
  change("n", {}, {}, {{"berth/kubelet", "stopped"}});
  pass(56s);
  EXPECT_THAT(taints_of("n"), IsEmpty());
  // The lease of 32 s was seen at 35 s; at 90 s that is more than 50 s ago.
  pass(1s);
  EXPECT_THAT(taints_of("n"), ElementsAre("unreachable:NoSchedule"));
  pass(50ms);
  EXPECT_THAT(taints_of("n"), ElementsAre("unreachable:NoSchedule", "unreachable:NoExecute"));
  change("n", {{"node.kubernetes.io/unreachable", "", "NoSchedule"},
               {"node.kubernetes.io/unreachable", "", "NoExecute"}});
  pass(5s);
  EXPECT_THAT(taints_of("n"), IsEmpty());
}

TEST_F(ControllersTest, ARunDoesNotGoOnForANodeThatStaysNotReady) {
  apply(model::added(node("other")));
  change("n", {}, {{"Ready", "False"}});
  EXPECT_TRUE(core->unfinished());
  pass(10s);
  EXPECT_THAT(taints_of("n"), ElementsAre("not-ready:NoSchedule", "not-ready:NoExecute"));
  EXPECT_FALSE(core->unfinished());
  change("n", {{"node.kubernetes.io/not-ready", "", "NoExecute"}}, {{"Ready", "True"}});
  EXPECT_TRUE(core->unfinished());
  pass(5s);
  EXPECT_THAT(taints_of("n"), IsEmpty());
  EXPECT_FALSE(core->unfinished());
}

TEST_F(ControllersTest, NodesThatAreWellCostNothing) {
  for (int i = 0; i < 100; ++i) apply(model::added(node("more-" + std::to_string(i))));
  EXPECT_FALSE(core->next_due());
  EXPECT_FALSE(core->unfinished());
}

TEST_F(ControllersTest, PodsOfADeletedNodeAreCollected) {
  add(on("n", "p"));
  add(on("never-there", "q"));
  pass(5s);
  apply(model::deleted(node("n")));
  pass(54s);
  EXPECT_TRUE(find("p"));
  pass(1s);  // The round at 20 s found it; its 40 s are over.
  EXPECT_FALSE(find("p"));
  EXPECT_THAT(take(), ElementsAre("p disrupted: DeletionByPodGC"));
  pass(1h);
  EXPECT_TRUE(find("q"));
}

// Pods that are deleted on a node whose kubelet is silent.
class SilentKubeletTest : public ControllersTest {
 protected:
  void silence(bool silent = true) {
    if (silent)
      change("n", {}, {}, {{"berth/kubelet", "stopped"}});
    else
      change("n", {});
  }
  // No taint evicts it.
  static model::Pod patient(const std::string& name) {
    return on("n", name, {{.key = {}, .op = "Exists", .value = {}, .effect = {}, .seconds = {}}});
  }
  void terminate(const std::string& name, Time grace = 30s) {
    server->delete_pod(find(name), core->now() + grace);
  }
};

TEST_F(SilentKubeletTest, ADeletedPodStaysUntilItAnswers) {
  apply(model::added(node("other")));
  add(patient("early"));
  add(patient("late"));
  silence();
  terminate("early");
  pass(1h);
  EXPECT_TRUE(find("early"));
  EXPECT_FALSE(core->pods_leave()) << "time alone removes nothing";
  EXPECT_FALSE(core->unfinished());
  terminate("early", 60s);
  terminate("late");
  pass(10s);
  silence(false);
  pass(0s);
  EXPECT_FALSE(find("early")) << "its grace period was over";
  EXPECT_TRUE(find("late"));
  pass(20s);
  EXPECT_FALSE(find("late"));
}

TEST_F(SilentKubeletTest, WithoutAGracePeriodThePodGoesAtOnce) {
  add(on("n", "p"));
  silence();
  terminate("p");
  pass(1h);
  terminate("p", 0s);
  EXPECT_FALSE(find("p"));
}

TEST_F(SilentKubeletTest, ReadyUnknownMeansThatNobodyAnswers) {
  add(on("n", "p"));
  change("n", {}, {{"Ready", "Unknown"}});
  terminate("p");
  pass(200s);
  EXPECT_TRUE(find("p"));
  change("n", {}, {{"Ready", "True"}});
  pass(0s);
  EXPECT_FALSE(find("p"));
}

TEST_F(SilentKubeletTest, PodsOfADeletedNodeAreCollected) {
  add(on("n", "p"));
  silence();
  terminate("p");
  pass(65s);
  apply(model::deleted(node("n")));
  pass(54s);
  EXPECT_TRUE(find("p"));
  pass(1s);
  EXPECT_FALSE(find("p"));
}

TEST_F(SilentKubeletTest, OutOfServiceNodesLoseThem) {
  apply(model::added(node("other")));
  add(patient("p"));
  silence();
  pass(100s);
  terminate("p");
  pass(45s);
  EXPECT_TRUE(find("p"));
  change("n", {{"node.kubernetes.io/out-of-service", "x", "NoExecute"}}, {},
         {{"berth/kubelet", "stopped"}});
  pass(20s);
  EXPECT_FALSE(find("p"));
}

TEST_F(SilentKubeletTest, ARunDoesNotGoOnForPodsThatNothingRemoves) {
  const std::vector<model::Taint> out = {{"node.kubernetes.io/out-of-service", "x", "NoExecute"}};
  add(patient("p"));
  change("n", out, {{"Ready", "True"}}, {{"berth/kubelet", "stopped"}});
  terminate("p");
  pass(40s);
  EXPECT_TRUE(find("p")) << "the node is ready as far as anybody knows";
  EXPECT_FALSE(core->pods_leave());
}

TEST_F(SilentKubeletTest, WithoutControllersGracePeriodsEndAnywhere) {
  controllers = played::ControllerList::none();
  start();
  apply(model::added(node("n")));
  add(on("n", "p"));
  silence();
  terminate("p");
  pass(30s);
  EXPECT_FALSE(find("p"));
}

// A budget of the pods with the label app=web.
class BudgetsTest : public ControllersTest {
 protected:
  static model::DisruptionBudget budget() {
    model::DisruptionBudget it;
    it.name = "b";
    it.namespace_name = "default";
    it.selector = model::LabelSelector{{{"app", "web"}}, {}};
    it.without_status = true;
    return it;
  }
  static model::Pod web(const std::string& name) {
    model::Pod it = on("n", name);
    it.spec.labels = {{"app", "web"}};
    it.controller = model::Controller{"apps/v1", "ReplicaSet", "web", "uid-web"};
    return it;
  }
  static model::TemplatePod web_of_template(const std::string& name) {
    model::TemplatePod made = of_template(web(name));
    made.controller = web(name).controller;
    return made;
  }
  void add_web(const std::string& name) { apply(model::added(web_of_template(name))); }
  void remove(const std::string& name) { apply(model::deleted_pod("default", name)); }
  int64_t allowed() {
    pass(0s);
    return cluster().budgets().allowed().values<int64_t>()[0];
  }
};

TEST_F(BudgetsTest, ABudgetWithoutAStatusIsCounted) {
  model::DisruptionBudget two = budget();
  two.min_available = model::PodAmount{2, false};
  apply(model::added(two));
  EXPECT_EQ(allowed(), 0);
  for (const char* name : {"a", "b", "c"}) add_web(name);
  add(on("n", "other"));
  EXPECT_EQ(allowed(), 1);
  change("n", {}, {{"Ready", "Unknown"}});
  pass(5s);
  EXPECT_EQ(allowed(), 0) << "pods of a node that is not ready are not";
  change("n", {});
  EXPECT_EQ(allowed(), 1);
  remove("a");
  EXPECT_EQ(allowed(), 0);
}

TEST_F(BudgetsTest, PodsAreReadyAgainOnANodeThatWentWhileItWasSilent) {
  model::DisruptionBudget one = budget();
  one.min_available = model::PodAmount{1, false};
  apply(model::added(one));
  for (const char* name : {"a", "b"}) add_web(name);
  change("n", {}, {{"Ready", "Unknown"}});
  pass(5s);
  EXPECT_EQ(allowed(), 0);
  apply(model::deleted_node("n"));
  EXPECT_EQ(allowed(), 0) << "no kubelet tells otherwise";
  apply(model::added(node("n")));
  EXPECT_EQ(allowed(), 1);
}

TEST_F(BudgetsTest, OnANodeThatIsNotReadyOnlyPodsThatComeLaterAreNot) {
  model::DisruptionBudget one = budget();
  one.min_available = model::PodAmount{1, false};
  apply(model::added(one));
  for (const char* name : {"a", "b"}) add_web(name);
  change("n", {}, {{"Ready", "False"}});
  pass(5s);
  EXPECT_EQ(allowed(), 1) << "who still answers says itself which pods are ready";
  model::TemplatePod other = web_of_template("a");
  other.labels = {{"version", "2"}};
  apply(model::modified(other));
  EXPECT_EQ(allowed(), 1) << "a change is no binding";
  add_web("c");
  EXPECT_EQ(allowed(), 1) << "nobody starts it";
  change("n", {}, {{"Ready", "True"}});
  EXPECT_EQ(allowed(), 2);
}

TEST_F(BudgetsTest, AStatusStaysUntilSomethingChanges) {
  model::DisruptionBudget known = budget();
  known.min_available = model::PodAmount{1, false};
  known.disruptions_allowed = 7;
  known.without_status = false;
  apply(model::added(known));
  add_web("a");
  EXPECT_EQ(allowed(), 7);
  pass(1h);
  add(on("n", "other"));
  EXPECT_EQ(allowed(), 7);
  add_web("b");
  EXPECT_EQ(allowed(), 1);
}

TEST_F(BudgetsTest, AnEvictionFindsThePodsThatAreBoundByThen) {
  model::DisruptionBudget one = budget();
  one.min_available = model::PodAmount{1, false};
  apply(model::added(one));
  pass(1s);
  for (const char* name : {"a", "b"}) add_web(name);
  const auto evict = [&](const char* name) {
    apply(model::added(model::EvictionRequest{name, "default", {}, false, {}, {}}));
    return take();
  };
  EXPECT_THAT(evict("a"), ElementsAre("a disrupted: EvictionByEvictionAPI"));
  EXPECT_THAT(evict("b"), IsEmpty()) << "one of them has to stay";
}

TEST_F(BudgetsTest, AWorkloadHasAsManyReplicasAsItHadPods) {
  model::DisruptionBudget half = budget();
  half.max_unavailable = model::PodAmount{50, true};
  apply(model::added(half));
  for (const char* name : {"a", "b", "c", "d"}) add_web(name);
  EXPECT_EQ(allowed(), 2);
  remove("a");
  EXPECT_EQ(allowed(), 1);
}

TEST_F(BudgetsTest, PreemptionSparesWhatABudgetOfAManifestProtects) {
  apply(model::deleted(node("n")));
  model::Node one = node("n", 1), two = node("m", 1);
  apply(model::added(one));
  apply(model::added(two));
  model::DisruptionBudget all = budget();
  all.min_available = model::PodAmount{1, false};
  apply(model::added(all));
  add_web("guarded");
  add(on("m", "plain"));
  pass(0s);
  model::Pod high = pod("high");
  high.spec.priority = 10;
  schedule({high});
  const std::vector<std::string> told = take();
  EXPECT_THAT(told, testing::Contains("plain evicted"));
}

TEST_F(ControllersTest, TheyCanBeTurnedOff) {
  controllers = played::ControllerList::parse("*,-taint-eviction-controller");
  start();
  keep_lines();
  apply(model::added(node("n")));
  add(on("n", "plain"));
  change("n", {{"k", "v", "NoExecute"}});
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
}

}  // namespace
}  // namespace berth::tests
