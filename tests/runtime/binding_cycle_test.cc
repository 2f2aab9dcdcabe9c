// The binding cycle with plugins that take time: "not yet" in PreBind, the binding thread, and what
// becomes of pods and nodes that are removed meanwhile.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class BindingCycleTest : public CoreTest {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(BERTH_BUILD_DIR) / "test" /
            (std::string("patient-") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt");
    std::filesystem::remove(path_);
    ::setenv("BERTH_TEST_PATIENT", path_.c_str(), 1);
  }
  void TearDown() override { ::unsetenv("BERTH_TEST_PATIENT"); }

  static std::string profile(const std::string& name, const std::string& args) {
    return R"({"schedulerName":")" + name +
           R"(","plugins":{"multiPoint":{"enabled":[{"name":"Patient"},{"name":"Scribe"}]}},)"
           R"("pluginConfig":[{"name":"Patient","args":)" +
           args + "}]}";
  }
  // The plugins Patient and Scribe, in this order, and what happens as text.
  void start_with(const std::string& args) {
    start("[" + profile("default-scheduler", args) + "]");
    keep_lines();
    cluster().put_node(node("n"));
  }
  // Lines of the plugin's file that begin so.
  std::vector<std::string> calls(const std::string& with = "") {
    std::vector<std::string> found;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(with)) found.push_back(line);
    return found;
  }
  model::PodState state(const std::string& name) { return cluster().pod(find(name)).state; }
  static model::Node named(const std::string& name) {
    model::Node made = node(name);
    made.labels = {{"kubernetes.io/hostname", name}};
    return made;
  }
  static model::Pod of_cpus(const std::string& name, int64_t cpus) {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpus)}};
    return made;
  }
  // It needs the node of a pod of that app.
  static model::Pod beside(const std::string& name, const std::string& app) {
    model::Pod made = pod(name);
    model::PodAffinityTerm term;
    term.label_selector.emplace();
    term.label_selector->match_labels = {{"app", app}};
    term.topology_key = "kubernetes.io/hostname";
    made.spec.affinity.pod_affinity.emplace();
    made.spec.affinity.pod_affinity->required = {term};
    return made;
  }
  // Pods that events of pods on nodes moved, by the action.
  uint64_t moved_by(uint32_t action) {
    uint64_t moved = 0;
    for (const queue::MoveCount& one : core->scheduler().queue().moves())
      if (one.move.kind == BERTH_ON_POD_ASSIGNED && one.move.action == action)
        moved += one.active + one.backoff;
    return moved;
  }

 private:
  std::filesystem::path path_;
};

TEST_F(BindingCycleTest, APodThatIsNotReadyIsAskedAgainAndBound) {
  start_with(R"({"again":250})");
  core->advance_to(milliseconds(100));
  schedule({pod("wait-2-p")});
  EXPECT_THAT(take(), ElementsAre("wait-2-p on n", "wait-2-p waits for Patient"));
  EXPECT_EQ(state("wait-2-p"), model::PodState::kBinding);
  EXPECT_EQ(place("wait-2-p"), queue::Place::kPastRefusal);
  EXPECT_TRUE(is_placed("wait-2-p"));
  EXPECT_TRUE(core->unfinished());
  EXPECT_EQ(core->next_due(), milliseconds(350));
  core->advance_to(milliseconds(599));
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_THAT(bindings.all, IsEmpty());
  core->advance_to(milliseconds(600));
  EXPECT_THAT(take(), ElementsAre("wait-2-p bound to n"));
  EXPECT_THAT(bindings.all, ElementsAre("wait-2-p@n"));
  EXPECT_EQ(state("wait-2-p"), model::PodState::kBound);
  EXPECT_FALSE(core->unfinished());
  EXPECT_THAT(calls(), ElementsAre("PreFlight wait-2-p 0", "PreBind wait-2-p 0", "batch 1",
                                   "PreBind wait-2-p 250", "batch 1", "PreBind wait-2-p 500",
                                   "batch 1", "PostBind wait-2-p 0"));
}

TEST_F(BindingCycleTest, WithoutATimeThePodIsAskedAfterASecond) {
  start_with("{}");
  schedule({pod("fail-p")});
  EXPECT_EQ(core->next_due(), seconds(BERTH_PRE_BIND_AGAIN_SECONDS));
}

TEST_F(BindingCycleTest, OtherPodsOfTheBatchGoOn) {
  start_with(R"({"again":250})");
  schedule({pod("a"), pod("wait-1-p"), pod("b")});
  EXPECT_THAT(bindings.all, ElementsAre("a@n", "b@n"));
  core->advance_to(seconds(1));
  EXPECT_THAT(bindings.all, ElementsAre("a@n", "b@n", "wait-1-p@n"));
}

TEST_F(BindingCycleTest, PodsWhoseTimeComesTogetherAreOneBatch) {
  start_with(R"({"again":250})");
  schedule({pod("wait-1-p"), pod("wait-1-q"), pod("wait-1-r")});
  core->advance_to(seconds(1));
  EXPECT_THAT(calls("batch"), ElementsAre("batch 3", "batch 3"));
  EXPECT_THAT(bindings.all, ElementsAre("wait-1-p@n", "wait-1-q@n", "wait-1-r@n"));
}

TEST_F(BindingCycleTest, AWaitMayEndInAFailureOrARefusal) {
  start_with(R"({"again":250})");
  schedule({pod("fail-p"), pod("refuse-p")});
  take();
  core->advance_to(milliseconds(250));
  EXPECT_THAT(take(), ElementsAre("fail-p failed: running PreBind plugin \"Patient\": its name "
                                  "says so",
                                  "refuse-p refused: its name says so"));
  for (const char* name : {"fail-p", "refuse-p"}) {
    EXPECT_FALSE(is_placed(name));
    EXPECT_EQ(place(name), queue::Place::kErrorBackoff) << name;
  }
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve fail-p 0", "Unreserve refuse-p 0"));
  EXPECT_EQ(core->scheduler().bindings().pre_bind_waits().size(), 0u);
}

TEST_F(BindingCycleTest, ThePluginsLimitFailsThePodAfterALastCall) {
  start_with(R"({"again":700,"limit":2})");
  schedule({pod("never-p")});
  take();
  core->advance_to(milliseconds(1999));
  EXPECT_THAT(take(), IsEmpty());
  core->advance_to(milliseconds(2000));
  EXPECT_THAT(take(), ElementsAre("never-p failed: running PreBind plugin \"Patient\": the pod has "
                                  "waited for 2s, which is the limit"));
  EXPECT_THAT(calls("PreBind"), ElementsAre("PreBind never-p 0", "PreBind never-p 700",
                                            "PreBind never-p 1400", "PreBind never-p 2000"));
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
}

TEST_F(BindingCycleTest, WithoutALimitAPodWaitsForFifteenMinutes) {
  start_with(R"({"again":1000000})");
  schedule({pod("never-p")});
  EXPECT_EQ(core->next_due(), seconds(BERTH_PRE_BIND_LIMIT_SECONDS));
  start_with(R"({"again":10000000,"limit":5000})");
  schedule({pod("never-p")});
  EXPECT_EQ(core->next_due(), seconds(5000));
}

TEST_F(BindingCycleTest, TheShortestWaitIsAMillisecond) {
  start_with(R"({"again":0,"limit":1})");
  schedule({pod("wait-0-p"), pod("never-p")});
  EXPECT_THAT(bindings.all, ElementsAre("wait-0-p@n"));
  EXPECT_EQ(core->next_due(), seconds(1));
}

TEST_F(BindingCycleTest, APodThatIsRemovedMeanwhileIsUnreserved) {
  start_with(R"({"again":250})");
  schedule({pod("never-p")});
  take();
  apply(model::deleted_pod("default", "never-p"));
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
  EXPECT_FALSE(find("never-p"));
  EXPECT_TRUE(cluster().pods_on("n").empty());
  EXPECT_FALSE(core->unfinished());
  core->advance_to(seconds(10));
  EXPECT_THAT(calls("PreBind"), ElementsAre("PreBind never-p 0"));
}

TEST_F(BindingCycleTest, APodThatLeavesItsNodeMakesRoom) {
  start_with(R"({"again":250})");
  cluster().put_node(node("n", 1));
  schedule({pod("never-p"), pod("q")});
  EXPECT_EQ(place("q"), queue::Place::kUnschedulable);
  apply(model::deleted_pod("default", "never-p"));
  EXPECT_NE(place("q"), queue::Place::kUnschedulable);
}

TEST_F(BindingCycleTest, APodWhoseNodeIsRemovedMeanwhileIsTriedAgain) {
  start_with(R"({"again":250})");
  schedule({pod("never-p")});
  take();
  apply(model::deleted(node("n")));
  EXPECT_THAT(take(), ElementsAre("never-p failed: running PreBind plugin \"Patient\": the node "
                                  "was removed while the plugin waited"));
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
  EXPECT_FALSE(is_placed("never-p"));
  EXPECT_EQ(place("never-p"), queue::Place::kErrorBackoff);
}

// kube-scheduler lets PreBind go on, and the binding then fails; the pod counts where the other
// scheduler bound it from the moment of the event. Here the wait ends with the event.
TEST_F(BindingCycleTest, APodThatAnotherSchedulerBindsMeanwhileIsUnreserved) {
  for (const char* where : {"n", "m", "unknown"}) {
    std::filesystem::remove(std::getenv("BERTH_TEST_PATIENT"));
    bindings = {};
    start_with(R"({"again":250})");
    apply(model::modified(of_template(pod("never-p"))));
    core->run_until_idle();
    cluster().put_node(node("m"));
    EXPECT_THAT(take(), Contains("never-p waits for Patient"));
    model::Pod elsewhere = pod("never-p");
    elsewhere.spec.node_name = where;
    apply(model::modified(of_template(elsewhere)));
    EXPECT_THAT(take(),
                ElementsAre("never-p failed: running PreBind plugin \"Patient\": another scheduler "
                            "bound the pod while the plugin waited",
                            std::string("never-p bound by another to ") + where));
    EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
    EXPECT_EQ(state("never-p"), model::PodState::kBound);
    EXPECT_EQ(place("never-p"), queue::Place::kNone);
    for (const char* name : {"n", "m"})
      EXPECT_EQ(cluster().pods_on(name).size(), std::string(where) == name ? 1u : 0u) << name;
    EXPECT_FALSE(core->unfinished());
    core->advance_to(seconds(10));
    core->settle();
    EXPECT_THAT(calls("PreBind"), ElementsAre("PreBind never-p 0"));
    EXPECT_THAT(bindings.all, IsEmpty());
    EXPECT_EQ(core->fault(), "");
  }
}

// The same as an informer tells it of a pod that it did not know before.
TEST_F(BindingCycleTest, APlacedPodThatWaitedIsUnreserved) {
  start_with(R"({"again":250})");
  schedule({pod("never-p")});
  cluster().put_node(node("m"));
  model::Pod elsewhere = pod("never-p");
  elsewhere.spec.node_name = "m";
  apply(model::added(of_template(elsewhere)));
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
  EXPECT_EQ(cluster().pods_on("m").size(), 1u);
}

// A pod that another scheduler binds is told as an added one, and never as one that left the node
// where it was assumed: pods that wait for room there hear nothing until it is deleted.
TEST_F(BindingCycleTest, ABindingByAnotherSchedulerIsAnAddedPodAlone) {
  for (const char* where : {"n", "m"}) {
    start_with(R"({"again":250})");
    cluster().put_node(named("n"));
    apply(model::modified(of_template(of_cpus("never-p", 1))));
    schedule({of_cpus("room", 8), beside("friend", "web")});
    cluster().put_node(named("m"));
    ASSERT_EQ(state("never-p"), model::PodState::kBinding);
    ASSERT_EQ(place("room"), queue::Place::kUnschedulable);
    ASSERT_EQ(place("friend"), queue::Place::kUnschedulable);
    model::Pod elsewhere = of_cpus("never-p", 1);
    elsewhere.spec.node_name = where;
    elsewhere.spec.labels = {{"app", "web"}};
    apply(model::modified(of_template(elsewhere)));
    EXPECT_EQ(place("room"), queue::Place::kUnschedulable) << where;
    EXPECT_NE(place("friend"), queue::Place::kUnschedulable) << where;
    EXPECT_EQ(moved_by(BERTH_DID_DELETE), 0u) << where;
    EXPECT_EQ(moved_by(BERTH_DID_ADD), 1u) << where;
    core->advance_to(seconds(20));  // the time of the plugin's later calls is over
    core->settle();
    EXPECT_EQ(place("room"), queue::Place::kUnschedulable) << where;
    apply(model::deleted_pod("default", "never-p"));
    EXPECT_NE(place("room"), queue::Place::kUnschedulable) << where;
  }
}

// kube-scheduler tells others to retry only if the pod was nominated, and then those of its
// priority and below. By the rule BindingQuiet it tells nobody.
TEST_F(BindingCycleTest, ANominatedPodThatAnotherSchedulerBindsFreesItsNomination) {
  for (const bool quiet : {false, true}) {
    rules.set(Rule::kBindingQuiet, quiet);
    start_with(R"({"again":250})");
    cluster().put_node(node("n", 1));
    model::Pod nominated = pod("never-p");
    nominated.nominated_node_name = "n";
    nominated.spec.priority = 5;
    apply(model::modified(of_template(nominated)));
    core->step();
    core->settle();
    ASSERT_EQ(state("never-p"), model::PodState::kBinding);
    model::Pod above = pod("above");
    above.spec.priority = 6;
    above.spec.preemption_policy = "Never";
    schedule({above, pod("below")});
    cluster().put_node(node("m", 1));
    nominated.spec.node_name = "m";
    apply(model::modified(of_template(nominated)));
    EXPECT_EQ(place("above"), queue::Place::kUnschedulable);
    EXPECT_EQ(place("below") == queue::Place::kUnschedulable, quiet);
    EXPECT_EQ(moved_by(BERTH_DID_DELETE), quiet ? 0u : 1u);
  }
}

TEST_F(BindingCycleTest, TheNodeOfAPodThatIsPreBoundIsAnnounced) {
  rules.set(Rule::kAnnouncedNodes, true);
  start_with(R"({"again":250})");
  schedule({pod("wait-1-p")});
  EXPECT_THAT(take(), ElementsAre("wait-1-p on n", "wait-1-p announced on n",
                                  "wait-1-p waits for Patient"));
  core->advance_to(seconds(1));
  EXPECT_THAT(take(), ElementsAre("wait-1-p bound to n"));
}

TEST_F(BindingCycleTest, AVictimThatIsPreBoundFailsInLaterVersions) {
  rules.set(Rule::kPreemptedWaitingErrs, true);
  start_with(R"({"again":250})");
  cluster().put_node(node("n", 1));
  schedule({pod("never-p")});
  model::Pod high = pod("high");
  high.spec.priority = 10;
  take();
  schedule({high});
  const std::vector<std::string> lines = take();
  EXPECT_THAT(lines, Contains("never-p preempted in Permit"));
  EXPECT_THAT(lines, Contains("never-p failed: running PreBind plugin \"Patient\": preempted by "
                              "DefaultPreemption"));
  EXPECT_TRUE(find("never-p")) << "nothing is deleted";
  EXPECT_FALSE(is_placed("never-p"));
  EXPECT_EQ(place("never-p"), queue::Place::kErrorBackoff);
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
}

TEST_F(BindingCycleTest, APodThatIsBeingDeletedMeanwhileMakesRoomAtOnce) {
  for (const bool leaves : {false, true}) {
    rules.set(Rule::kAssumedPodLeaves, leaves);
    start_with(R"({"again":250})");
    cluster().put_node(node("n", 1));
    schedule({pod("never-p"), pod("q")});
    ASSERT_EQ(place("q"), queue::Place::kUnschedulable);
    server->delete_pod(find("never-p"), core->now() + seconds(30));
    EXPECT_EQ(is_placed("never-p"), !leaves);
    EXPECT_EQ(place("q") == queue::Place::kUnschedulable, !leaves);
    EXPECT_EQ(core->fault(), "");
  }
}

TEST_F(BindingCycleTest, AnotherNodesPodsWaitOn) {
  start_with(R"({"again":250})");
  schedule({pod("never-p")});
  cluster().put_node(node("m"));
  apply(model::deleted(node("m")));
  EXPECT_EQ(state("never-p"), model::PodState::kBinding);
  EXPECT_TRUE(core->scheduler().bindings().pre_bind_waits().contains(find("never-p")));
}

TEST_F(BindingCycleTest, AnUpdateOfAPodThatWaitsChangesNothingForTheQueue) {
  start_with(R"({"again":250})");
  schedule({pod("wait-1-p")});
  model::Pod updated = pod("wait-1-p");
  updated.nominated_node_name = "n";
  apply(model::modified(of_template(updated)));
  EXPECT_TRUE(cluster().nodes().nominations().slots().empty());
  core->advance_to(seconds(1));
  EXPECT_THAT(bindings.all, ElementsAre("wait-1-p@n"));
}

// An API server deletes a pod at once that has no node, whatever its grace period.
TEST_F(BindingCycleTest, AVictimThatWaitsLeavesAtOnce) {
  start_with(R"({"again":250})");
  cluster().put_node(node("n", 1));
  schedule({pod("never-p")});
  model::Pod high = pod("high");
  high.spec.priority = 10;
  take();
  schedule({high});
  EXPECT_THAT(take(), Contains("never-p evicted"));
  EXPECT_FALSE(find("never-p"));
  EXPECT_THAT(calls("Unreserve"), ElementsAre("Unreserve never-p 0"));
}

TEST_F(BindingCycleTest, AServiceOfTheModelIsRefusedByName) {
  for (const bool thread : {true, false}) {
    binding_thread = thread;
    start_with("{}");
    schedule({pod("asks-p"), pod("b")});
    // The call fails, and so all pods of the batch.
    EXPECT_THAT(take(), Contains("asks-p failed: running PreBind plugin \"Patient\": plugin "
                                 "\"Patient\" called waiting.each in PreBind; a function with the "
                                 "tag [bind] may not"));
    EXPECT_FALSE(is_placed("asks-p"));
  }
}

// The first pod's PreBind does not return before 40 pods were reserved; batches have fewer.
TEST_F(BindingCycleTest, PodsAreDecidedWhilePluginsBind) {
  static_assert(binding::Binder::kHandOver < 40 && binding::Binder::kMostPods > 40);
  start_with(R"({"meets":40})");
  std::vector<model::Pod> pods{pod("meets-p")};
  for (int i = 1; i < 40; ++i) pods.push_back(pod("p" + std::to_string(i)));
  schedule(pods);
  EXPECT_EQ(bindings.all.size(), 40u);
  EXPECT_THAT(bindings.all.front(), "meets-p@n");
}

TEST_F(BindingCycleTest, ProfilesThatAlternateShareABatchEach) {
  start("[" + profile("default-scheduler", "{}") + "," + profile("other", "{}") + "]");
  cluster().put_node(node("n"));
  std::vector<model::Pod> pods;
  std::vector<std::string> expected;
  for (int i = 0; i < 2 * static_cast<int>(binding::Binder::kHandOver); ++i) {
    pods.push_back(pod("p" + std::to_string(i)));
    pods.back().spec.scheduler_name = i % 2 == 0 ? "default-scheduler" : "other";
    expected.push_back("p" + std::to_string(i) + "@n");
  }
  schedule(pods);
  const std::string half = "batch " + std::to_string(binding::Binder::kHandOver / 2);
  EXPECT_THAT(calls("batch"), ElementsAre(half, half, half, half));
  EXPECT_EQ(bindings.all, expected);  // in the order of the decisions
}

// A sink that fails ends the run: nothing is bound after it.
TEST_F(BindingCycleTest, AFailureOfTheSinkReachesTheCaller) {
  for (const bool thread : {true, false}) {
    binding_thread = thread;
    start_with("{}");
    bindings.all.clear();
    bindings.room = 2;
    arrive({pod("a"), pod("b"), pod("c"), pod("d")});
    while (core->has_active()) core->step();
    EXPECT_THROW(core->settle(), Error);
    bindings.room = SIZE_MAX;
    EXPECT_THROW(core->settle(), Error);
    EXPECT_THAT(bindings.all, ElementsAre("a@n", "b@n"));
  }
}

// One history of everything that can happen, whatever thread binds and however fast.
TEST_F(BindingCycleTest, AHistoryDoesNotDependOnTheThread) {
  struct History {
    std::vector<std::string> lines, bindings, calls;
    std::string hash;
    bool operator==(const History&) const = default;
  };
  const auto play = [&](bool thread, size_t publish_every) {
    binding_thread = thread;
    bindings = {};
    start_with(R"({"again":30,"limit":1})");
    for (const char* name : {"m", "o"}) cluster().put_node(node(name, 200));
    constexpr const char* kNames[] = {"p-",      "wait-1-", "q-", "fail-",  "wait-3-",
                                      "refuse-", "r-",      "s-", "never-", "t-"};
    std::vector<model::Pod> pods;
    for (int i = 0; i < 400; ++i) pods.push_back(pod(kNames[i % 10] + std::to_string(i)));
    arrive(pods);
    size_t steps = 0;
    const auto turn = [&] {
      core->step(core->now() + milliseconds(1));
      if (++steps % publish_every == 0) core->publish();
      if (steps == 150) apply(model::deleted_pod("default", "never-8"));
      if (steps == 200) apply(model::deleted(node("m")));
    };
    while (core->now() < seconds(5)) {
      while (core->has_active()) turn();
      core->settle();
      if (core->has_active()) continue;
      if (const auto due = core->next_due()) core->advance_to(*due);
    }
    return History{take(), bindings.all, calls("Unreserve"),
                   core->scheduler().decisions().hash().to_string()};
  };
  const auto once = [&](bool thread, size_t publish_every) {
    std::filesystem::remove(std::getenv("BERTH_TEST_PATIENT"));
    return play(thread, publish_every);
  };
  const History expected = once(false, SIZE_MAX);
  EXPECT_GT(expected.lines.size(), 800u);
  EXPECT_GT(expected.calls.size(), 50u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(once(true, SIZE_MAX), expected);
  EXPECT_EQ(once(true, 7), expected);
  EXPECT_EQ(once(false, 5), expected);
}

}  // namespace
}  // namespace berth::tests
