// `kubectl drain` of nodes, and requests to evict pods, with the core.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "engine/runtime/events/report_event.h"
#include "tests/runtime/controllers/testing.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Outcome = controllers::Drain::Outcome;

class DrainsTest : public PlayedTest {
 protected:
  void SetUp() override {
    start();
    core->report_to([this](const runtime::Report& report) {
      if (const auto* by = std::get_if<runtime::Disrupted>(&report))
        disrupted.push_back(std::string(cluster().text(cluster().pod(by->pod).name)) + ": " +
                            std::string(by->reason) + " for " + std::string(by->cause));
      if (const auto event = runtime::event_of(report, cluster())) notes.push_back(event->note);
    });
    apply(model::added(node("n")));
  }
  static model::Node drained(const std::string& name, const std::string& options = "") {
    model::Node it = node(name);
    it.annotations = {{"berth/drain", options}};
    return it;
  }
  // A pod of a ReplicaSet on the node n.
  void add_web(const std::string& name) {
    model::Pod it = pod(name);
    it.spec.node_name = "n";
    it.spec.labels = {{"app", "web"}};
    add(it, model::Controller{"apps/v1", "ReplicaSet", "web", "uid-web"});
  }
  void add(const model::Pod& pod, std::optional<model::Controller> controller = {}) {
    model::TemplatePod made = of_template(pod);
    made.controller = std::move(controller);
    apply(model::added(made));
  }
  void protect(const std::string& name, int32_t minimum) {
    model::DisruptionBudget it;
    it.name = name;
    it.namespace_name = "default";
    it.selector = model::LabelSelector{{{"app", "web"}}, {}};
    it.without_status = true;
    it.min_available = model::PodAmount{minimum, false};
    apply(model::added(it));
  }
  bool is_unschedulable(const std::string& name) {
    const model::Slot slot = cluster().nodes().find(cluster().strings().find(name));
    return cluster().nodes().node(slot).unschedulable;
  }
  const controllers::Drain& drain() { return server->drains().back(); }

  std::vector<std::string> disrupted, notes;
};

TEST_F(DrainsTest, ADrainCordonsEvictsAndEnds) {
  add_web("a");
  add_web("b");
  pass(100s);
  apply(model::modified(drained("n")));
  EXPECT_TRUE(is_unschedulable("n"));
  EXPECT_THAT(disrupted, ElementsAre("a: EvictionByEvictionAPI for drain of node n",
                                     "b: EvictionByEvictionAPI for drain of node n"));
  EXPECT_FALSE(drain().over());
  EXPECT_TRUE(core->unfinished());
  pass(30s);
  EXPECT_EQ(drain().outcome(), Outcome::kDrained);
  EXPECT_EQ(drain().ended(), 130s);
  EXPECT_FALSE(find("a"));
  apply(model::modified(node("n")));
  EXPECT_FALSE(is_unschedulable("n"));
  EXPECT_FALSE(core->unfinished());
}

TEST_F(DrainsTest, PodsThatWaitForTheirBindingAreFound) {
  arrive({pod("a")});
  while (core->has_active()) core->step();
  apply(model::modified(drained("n", "--force")));
  EXPECT_THAT(disrupted, ElementsAre("a: EvictionByEvictionAPI for drain of node n"));
}

TEST_F(DrainsTest, ABudgetDelaysADrain) {
  for (const char* name : {"a", "b", "c"}) add_web(name);
  protect("two", 2);
  pass(0s);
  apply(model::modified(drained("n")));
  EXPECT_THAT(disrupted, ElementsAre("a: EvictionByEvictionAPI for drain of node n"));
  pass(44s);
  EXPECT_EQ(disrupted.size(), 1u);
  EXPECT_EQ(drain().pods()[1].tries, 9u);
  // A fourth pod elsewhere makes room for one more.
  apply(model::added(node("other")));
  model::Pod more = pod("d");
  more.spec.node_name = "other";
  more.spec.labels = {{"app", "web"}};
  add(more, model::Controller{"apps/v1", "ReplicaSet", "web", "uid-web"});
  pass(1s);
  EXPECT_THAT(disrupted, ElementsAre("a: EvictionByEvictionAPI for drain of node n",
                                     "b: EvictionByEvictionAPI for drain of node n"));
  EXPECT_EQ(drain().pods()[2].state, controllers::Drain::State::kAsking);
}

TEST_F(DrainsTest, APodWithTwoBudgetsIsNotEvicted) {
  add_web("a");
  protect("one", 0);
  protect("two", 0);
  apply(model::modified(drained("n")));
  EXPECT_EQ(drain().outcome(), Outcome::kFailed);
  EXPECT_THAT(drain().message(), HasSubstr("more than one PodDisruptionBudget"));
  EXPECT_THAT(disrupted, IsEmpty());
}

TEST_F(DrainsTest, ARefusedDrainLeavesTheNodeCordoned) {
  add(([] {
    model::Pod it = pod("alone");
    it.spec.node_name = "n";
    return it;
  })());
  apply(model::modified(drained("n")));
  EXPECT_EQ(drain().outcome(), Outcome::kRefused);
  EXPECT_THAT(drain().message(), HasSubstr("default/alone"));
  EXPECT_TRUE(is_unschedulable("n"));
  // Other options are another drain.
  apply(model::modified(drained("n", "--force")));
  EXPECT_EQ(server->drains().size(), 2u);
  EXPECT_THAT(disrupted, ElementsAre("alone: EvictionByEvictionAPI for drain of node n"));
  apply(model::modified(drained("n", " --force ")));
  EXPECT_EQ(server->drains().size(), 2u);
}

TEST_F(DrainsTest, OptionsThatAreWrongAreReportedAndNothingHappens) {
  add_web("a");
  apply(model::modified(drained("n", "--quick")));
  ASSERT_EQ(core->diagnostics().count(), 1u);
  EXPECT_STREQ(core->diagnostics().kept()[0].what(),
               "test: n: metadata.annotations: kubectl drain has no option --quick");
  apply(model::modified(drained("n", "--pod-selector='a in (_)'")));
  EXPECT_THAT(core->diagnostics().kept().back().what(), HasSubstr("--pod-selector: "));
  EXPECT_FALSE(is_unschedulable("n"));
  EXPECT_THAT(server->drains(), IsEmpty());
}

TEST_F(DrainsTest, ASelectorLimitsWhatIsDrained) {
  add_web("a");
  add(([] {
    model::Pod it = pod("alone");
    it.spec.node_name = "n";
    return it;
  })());
  apply(model::modified(drained("n", "--pod-selector=app=web")));
  EXPECT_THAT(disrupted, ElementsAre("a: EvictionByEvictionAPI for drain of node n"));
}

TEST_F(DrainsTest, ANodeOfAFileIsDrainedFromTheBeginning) {
  ingest::Objects file;
  file.others = {model::added(drained("m", "--force"))};
  model::Pod there = pod("p");
  there.spec.node_name = "m";
  file.pods = {there};
  core->door().apply(file, "cluster.yaml");
  pass(0s);
  EXPECT_THAT(disrupted, ElementsAre("p: EvictionByEvictionAPI for drain of node m"));
  EXPECT_TRUE(is_unschedulable("m"));
}

TEST_F(DrainsTest, ADrainEndsWithItsAnnotationAndItsNode) {
  add_web("a");
  protect("one", 1);
  pass(0s);
  apply(model::modified(drained("n")));
  EXPECT_TRUE(core->next_due());
  apply(model::modified(node("n")));
  EXPECT_EQ(drain().outcome(), Outcome::kStopped);
  EXPECT_FALSE(core->unfinished());
  apply(model::modified(drained("n")));
  EXPECT_FALSE(drain().over());
  apply(model::deleted(node("n")));
  EXPECT_EQ(drain().outcome(), Outcome::kStopped);
}

TEST_F(DrainsTest, EvictionsOfFilesHappenOnceTheFilesAreThere) {
  ingest::Objects file;
  file.others = {model::added(model::EvictionRequest{"p", "default", {}, false, {}, {}})};
  model::Pod there = pod("p");
  there.spec.node_name = "n";
  file.pods = {there};
  core->door().apply(file, "cluster.yaml");
  EXPECT_THAT(disrupted, IsEmpty());
  pass(0s);
  EXPECT_THAT(disrupted, ElementsAre("p: EvictionByEvictionAPI for Eviction"));
  EXPECT_EQ(core->diagnostics().count(), 0u);
}

TEST_F(DrainsTest, TaintsAndTheCollectorSayWhatTheyWentBackTo) {
  add_web("a");
  model::Node tainted = node("n");
  tainted.taints = {{"k", "v", "NoExecute"}};
  apply(model::modified(tainted));
  pass(0s);
  EXPECT_THAT(disrupted, ElementsAre("a: DeletionByTaintManager for taint k=v:NoExecute"));
  disrupted.clear();
  pass(30s);
  apply(model::modified(node("n")));
  add_web("b");
  apply(model::deleted(node("n")));
  pass(60s);
  EXPECT_THAT(disrupted, ElementsAre("b: DeletionByPodGC for node n is gone"));
}

TEST_F(DrainsTest, ASilentNodeAndItsPodsGetEvents) {
  apply(model::added(node("other")));
  add_web("b");
  add_web("a");
  model::Node stopped = node("n");
  stopped.annotations = {{"berth/kubelet", "stopped"}};
  pass(33s);
  apply(model::modified(stopped));
  pass(57s);
  EXPECT_THAT(notes, ElementsAre("Node n status is now: NodeNotReady", "Node is not ready",
                                 "Node is not ready"));
  notes.clear();
  apply(model::added(node("late")));
  apply(model::deleted(node("other")));
  pass(5s);
  EXPECT_THAT(
      notes, ElementsAre("Marking for deletion Pod default/a", "Marking for deletion Pod default/b",
                         "Node late event: Registered Node late in Controller",
                         "Node other event: Removing Node other from Controller"));
}

TEST_F(DrainsTest, AnEvictionThatIsGivenUpHasAnEvent) {
  model::Pod patient = pod("patient");
  patient.spec.node_name = "n";
  patient.spec.tolerations = {
      {.key = "k", .op = "Exists", .value = {}, .effect = "NoExecute", .seconds = 60}};
  add(patient);
  model::Node tainted = node("n");
  tainted.taints = {{"k", "", "NoExecute"}};
  apply(model::modified(tainted));
  pass(59s);
  EXPECT_THAT(notes, IsEmpty());
  apply(model::modified(node("n")));
  EXPECT_THAT(notes, ElementsAre("Cancelling deletion of Pod default/patient"));
}

}  // namespace
}  // namespace berth::tests
