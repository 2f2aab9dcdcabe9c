// Updates of pods that count on a node and are not bound yet: what was decided counts until the
// pod is bound or leaves the node.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = binding::BindAnswer::Kind;

// A node of eight CPUs. The plugin Patient lets pods wait in PreBind for a quarter of a second each
// time, as their names say.
class AssumedUpdatesTest : public CoreTest {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(BERTH_BUILD_DIR) / "test" / "assumed-updates.txt";
    std::filesystem::remove(path_);
    ::setenv("BERTH_TEST_PATIENT", path_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("BERTH_TEST_PATIENT");
    std::filesystem::remove(path_);
  }

  void start_patient() {
    start(R"([{"schedulerName":"default-scheduler",
               "plugins":{"multiPoint":{"enabled":[{"name":"Patient"}]}},
               "pluginConfig":[{"name":"Patient","args":{"again":250}}]}])");
    put_node("n");
  }
  void put_node(const std::string& name) {
    model::Node made = node(name);
    made.labels = {{"kubernetes.io/hostname", name}};
    apply(model::added(made));
  }
  static model::Pod pod_of(const std::string& name, int64_t cpus, const std::string& app = "web") {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpus)}};
    made.spec.labels = {{"app", app}};
    return made;
  }
  // It needs a node with a pod of that app.
  static model::Pod beside(const std::string& name, const std::string& app) {
    model::Pod made = pod_of(name, 1);
    model::PodAffinityTerm term;
    term.label_selector.emplace();
    term.label_selector->match_labels = {{"app", app}};
    term.topology_key = "kubernetes.io/hostname";
    made.spec.affinity.pod_affinity.emplace();
    made.spec.affinity.pod_affinity->required = {term};
    return made;
  }
  void update(const model::Pod& pod) { apply(model::modified(of_template(pod))); }
  void update_on(model::Pod pod, const std::string& node) {
    pod.spec.node_name = node;
    update(pod);
  }
  void wait(milliseconds time) {
    core->advance_to(core->now() + time);
    while (core->has_active()) core->step();
    core->settle();
  }
  // Decided, and not bound: its batch is not full.
  void assume(const model::Pod& pod) {
    update(pod);
    ASSERT_TRUE(core->step());
    ASSERT_EQ(state(pod.name), model::PodState::kBinding);
  }
  model::PodState state(const std::string& name) { return cluster().pod(find(name)).state; }
  bool is_of(const model::PodRecord& pod, const std::string& app) {
    return pod.labels == cluster().templates().label_set({{"app", app}});
  }
  // What counts.
  bool is_of(const std::string& name, const std::string& app) {
    return is_of(cluster().pod(find(name)), app);
  }
  // Pods that updates of pods on nodes moved.
  uint64_t moved_by_updates() {
    uint64_t moved = 0;
    for (const queue::MoveCount& one : core->scheduler().queue().moves())
      if (one.move.kind == BERTH_ON_POD_ASSIGNED && one.move.action != BERTH_DID_ADD &&
          one.move.action != BERTH_DID_DELETE)
        moved += one.active + one.backoff;
    return moved;
  }

 private:
  std::filesystem::path path_;
};

TEST_F(AssumedUpdatesTest, AnUpdateCountsWhenThePodIsBound) {
  start_patient();
  schedule({pod_of("wait-1-p", 2)});
  ASSERT_EQ(state("wait-1-p"), model::PodState::kBinding);
  update(pod_of("wait-1-p", 7));
  schedule({pod_of("q", 5)});
  EXPECT_THAT(results, ElementsAre("wait-1-p scheduled n", "q scheduled n"));
  wait(milliseconds(250));
  ASSERT_EQ(state("wait-1-p"), model::PodState::kBound);
  schedule({pod_of("r", 1)});
  EXPECT_EQ(results.back(), "r unschedulable");
  EXPECT_EQ(core->fault(), "");
}

TEST_F(AssumedUpdatesTest, OfSeveralUpdatesTheLastOneCounts) {
  retire_always = true;
  start_patient();
  schedule({pod_of("wait-1-p", 2)});
  for (const char* app : {"first", "second", "third"}) {
    update(pod_of("wait-1-p", 2, app));
    EXPECT_TRUE(is_of("wait-1-p", "web"));
    EXPECT_TRUE(is_of(core->door().latest(find("wait-1-p")), app));
  }
  wait(milliseconds(250));
  EXPECT_TRUE(is_of("wait-1-p", "third"));
  EXPECT_EQ(core->fault(), "");
}

TEST_F(AssumedUpdatesTest, PodsThatWaitForTheNewLabelsHearOfTheBoundPod) {
  start_patient();
  schedule({pod_of("wait-1-p", 1), beside("q", "db")});
  EXPECT_EQ(place("q"), queue::Place::kUnschedulable);
  update(pod_of("wait-1-p", 1, "db"));
  EXPECT_EQ(place("q"), queue::Place::kUnschedulable);
  wait(milliseconds(250));
  EXPECT_NE(place("q"), queue::Place::kUnschedulable);
  EXPECT_EQ(moved_by_updates(), 0u);
  wait(seconds(2));
  EXPECT_EQ(results.back(), "q scheduled n");
}

TEST_F(AssumedUpdatesTest, AFailedBindingBringsTheNewObjectBackToTheQueue) {
  start_patient();
  schedule({pod_of("fail-p", 2)});
  update(pod_of("fail-p", 9));
  EXPECT_TRUE(is_placed("fail-p"));
  wait(milliseconds(250));
  EXPECT_FALSE(is_placed("fail-p"));
  EXPECT_EQ(place("fail-p"), queue::Place::kErrorBackoff);
  wait(seconds(2));
  EXPECT_EQ(results.back(), "fail-p unschedulable");
}

TEST_F(AssumedUpdatesTest, APodThatPermitHoldsIsWhatWasDecided) {
  start(R"([{"schedulerName":"default-scheduler",
             "plugins":{"multiPoint":{"enabled":[{"name":"Coscheduling"}]},
                        "queueSort":{"disabled":[{"name":"*"}],
                                     "enabled":[{"name":"Coscheduling"}]}},
             "pluginConfig":[{"name":"Coscheduling",
                              "args":{"minMember":2,"permitWaitingTimeSeconds":10}}]}])");
  put_node("n");
  const auto member = [](const std::string& name, int64_t cpus) {
    model::Pod made = pod_of(name, cpus);
    made.spec.labels = {{"scheduling.x-k8s.io/pod-group", "a"}};
    return made;
  };
  schedule({member("p", 2)});
  ASSERT_EQ(state("p"), model::PodState::kPermitWaiting);
  update(member("p", 7));
  schedule({pod_of("q", 5)});
  EXPECT_EQ(results.back(), "q scheduled n");
  wait(seconds(10));  // the group is not complete
  EXPECT_FALSE(is_placed("p"));
  EXPECT_EQ(core->door().latest(find("p")).pod_template, cluster().pod(find("p")).pod_template);
  wait(seconds(400));
  EXPECT_EQ(results.back(), "p unschedulable");  // with seven CPUs
}

// kube-scheduler's cache replaces the assumed object when it hears that the pod has a node; others
// hear of an added pod, and of no update.
TEST_F(AssumedUpdatesTest, TheEventOfTheBindingBringsTheNewObject) {
  start();
  put_node("n");
  schedule({beside("q", "db")});
  assume(pod_of("p", 1));
  update(pod_of("p", 1, "cache"));
  EXPECT_TRUE(is_of("p", "web"));
  update_on(pod_of("p", 1, "db"), "n");
  EXPECT_EQ(state("p"), model::PodState::kBound);
  EXPECT_TRUE(is_of("p", "db"));
  EXPECT_THAT(bindings.all, ElementsAre("p@n"));
  EXPECT_THAT(bound, ElementsAre(find("p")));
  EXPECT_NE(place("q"), queue::Place::kUnschedulable);
  EXPECT_EQ(moved_by_updates(), 0u);
}

TEST_F(AssumedUpdatesTest, ABindingElsewhereBringsTheNewObject) {
  start_patient();
  model::Node closed = node("m");
  closed.unschedulable = true;
  apply(model::added(closed));
  for (const char* where : {"n", "m"}) {
    const std::string name = std::string("never-") + where;
    schedule({pod_of(name, 2)});
    ASSERT_EQ(state(name), model::PodState::kBinding);
    update(pod_of(name, 2, "cache"));
    update_on(pod_of(name, 2, "db"), where);
    EXPECT_EQ(state(name), model::PodState::kBound);
    EXPECT_TRUE(is_of(name, "db"));
    EXPECT_EQ(cluster().text(cluster().nodes().node(cluster().pod(find(name)).slot).name), where);
    EXPECT_EQ(core->fault(), "");
  }
}

TEST_F(AssumedUpdatesTest, AKeptUpdateGoesWithThePod) {
  start_patient();
  schedule({pod_of("never-p", 2)});
  update(pod_of("never-p", 2, "db"));
  apply(model::deleted_pod("default", "never-p"));
  EXPECT_FALSE(find("never-p"));
  EXPECT_THAT(core->scheduler().updates().pods(), IsEmpty());
  schedule({pod_of("never-p", 2)});
  EXPECT_TRUE(is_of("never-p", "web"));
}

// kube-scheduler clears the nomination of the object that it decided, and does not know of another.
// By the rule ListedPodCompared it looks at the object as it is now.
TEST_F(AssumedUpdatesTest, ANominationThatIsWrittenMeanwhileOutlivesTheFailure) {
  for (const bool listed : {false, true}) {
    rules.set(Rule::kListedPodCompared, listed);
    start_patient();
    schedule({pod_of("fail-p", 2)});
    core->door().nominated(find("fail-p"), "n");
    EXPECT_EQ(cluster().pod(find("fail-p")).nominated_node, 0u);
    wait(milliseconds(250));
    EXPECT_EQ(cluster().text(cluster().pod(find("fail-p")).nominated_node), listed ? "" : "n");
    EXPECT_FALSE(cluster().pod(find("fail-p")).nominated);
  }
}

// A pod that is being deleted is bound all the same if it was decided before.
TEST_F(AssumedUpdatesTest, ADeletionCountsAsAnUpdate) {
  start_patient();
  schedule({pod_of("wait-1-p", 2), pod_of("fail-p", 2)});
  for (const char* name : {"wait-1-p", "fail-p"}) {
    server->delete_pod(find(name), std::nullopt);
    EXPECT_FALSE(cluster().pod(find(name)).terminating);
  }
  wait(milliseconds(250));
  EXPECT_EQ(state("wait-1-p"), model::PodState::kBound);
  EXPECT_TRUE(cluster().pod(find("wait-1-p")).terminating);
  wait(seconds(2));
  EXPECT_EQ(state("fail-p"), model::PodState::kTerminating);
}

}  // namespace
}  // namespace berth::tests
