// Pods that wait in Permit: how they go on, how they are refused, and what hooks are called.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// A core with the plugins First and Second, whose answers are rules, and what happens as text.
class PermitTest : public CoreTest, private binding::PlacementObserver {
 protected:
  // `rules`: JSON objects, separated by commas.
  void start_with(const std::string& rules) {
    observer = this;
    const std::string args = R"("args":{"script":[)" + rules + "]}";
    start(R"([{"schedulerName":"default-scheduler",
               "plugins":{"multiPoint":{"enabled":[{"name":"First"},{"name":"Second"}]}},
               "pluginConfig":[{"name":"First",)" +
          args + R"(},{"name":"Second",)" + args + "}]}]");
    keep_lines();
    cluster().put_node(node("n"));
  }
  static std::string rule(const std::string& plugin, const std::string& point,
                          const std::string& pods, const std::string& answer) {
    return R"({"plugin":")" + plugin + R"(","point":")" + point + R"(","pods":[)" + pods +
           R"(],"answer":)" + answer + "}";
  }
  // `plugin` holds p.
  static std::string waits(const std::string& plugin, int timeout) {
    return rule(plugin, "permit", R"("default/p")",
                R"("wait","seconds":)" + std::to_string(timeout));
  }

  std::vector<std::string> take_calls() { return std::exchange(calls_, {}); }
  std::vector<std::string> refusers(const std::string& name) {
    std::vector<std::string> names;
    for (const queue::RefuserId by : core->scheduler().queue().refusers(find(name)).all())
      names.push_back(core->scheduler().policy().name(by));
    return names;
  }

 private:
  void called(const binding::PlacementCall& call) override {
    if (call.plugin != "First" && call.plugin != "Second") return;
    constexpr const char* kPoints[] = {"reserve", "unreserve", "permit", "preBind", "postBind"};
    calls_.push_back(std::string(call.plugin) + " " + kPoints[static_cast<size_t>(call.point)] +
                     " " + std::string(cluster().text(cluster().pod(call.pod).name)) + " " +
                     std::string(call.node));
  }

  std::vector<std::string> calls_;
};

TEST_F(PermitTest, AHeldPodCountsOnItsNodeAndIsBoundOnceItIsAllowed) {
  start_with(waits("Second", 60));
  schedule({pod("p")});
  EXPECT_THAT(take(), ElementsAre("p on n", "p waits"));
  EXPECT_TRUE(is_placed("p"));
  EXPECT_EQ(place("p"), queue::Place::kInFlight);
  EXPECT_THAT(bindings.all, IsEmpty());
  EXPECT_THAT(take_calls(), ElementsAre("First reserve p n", "Second reserve p n",
                                        "First permit p n", "Second permit p n"));
  EXPECT_FALSE(core->door().allow(find("p"), "First"));
  EXPECT_TRUE(core->door().allow(find("p"), "Second"));
  core->settle();
  EXPECT_THAT(take(), ElementsAre("p bound to n"));
  EXPECT_THAT(bindings.all, ElementsAre("p@n"));
  EXPECT_THAT(take_calls(), ElementsAre("First preBind p n", "Second preBind p n",
                                        "First postBind p n", "Second postBind p n"));
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
}

TEST_F(PermitTest, ARefusedPodUnreservesInReverseOrderAndIsQueued) {
  start_with(waits("Second", 60));
  schedule({pod("p")});
  take(), take_calls();
  EXPECT_TRUE(core->door().reject(find("p"), "First", "no licence"));
  EXPECT_THAT(take(), ElementsAre("p refused: 0/1 nodes are available: 1 no licence."));
  EXPECT_THAT(take_calls(), ElementsAre("Second unreserve p n", "First unreserve p n"));
  EXPECT_FALSE(is_placed("p"));
  EXPECT_EQ(place("p"), queue::Place::kUnschedulable);
  EXPECT_THAT(refusers("p"), ElementsAre("First"));
}

TEST_F(PermitTest, TheFirstTimerThatFiresRefusesThePod) {
  start_with(waits("First", 60) + "," + waits("Second", 3));
  core->advance_to(milliseconds(500));
  schedule({pod("p")});
  take();
  core->advance_to(milliseconds(3499));
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_TRUE(core->unfinished());
  EXPECT_EQ(core->next_due(), milliseconds(3500));
  core->advance_to(milliseconds(3500));
  EXPECT_THAT(take(), ElementsAre("p refused: 0/1 nodes are available: 1 rejected due to timeout "
                                  "after waiting 3s at plugin Second."));
  EXPECT_THAT(refusers("p"), ElementsAre("Second"));
}

TEST_F(PermitTest, AnEventThatComesMeanwhileCountsForARefusedPod) {
  start_with(waits("First", 60));
  schedule({pod("p")});
  apply(model::added(node("m")));  // First wants additions of nodes
  core->door().reject(find("p"), "First", "no");
  EXPECT_EQ(place("p"), queue::Place::kBackoff);
}

TEST_F(PermitTest, APodThatIsRemovedWhileItWaitsIsRefusedByNobody) {
  start_with(waits("First", 60));
  schedule({pod("p")});
  take(), take_calls();
  apply(model::deleted_pod("default", "p"));
  EXPECT_THAT(take(), ElementsAre("p refused: 0/1 nodes are available: 1 removed."));
  EXPECT_THAT(take_calls(), ElementsAre("Second unreserve p n", "First unreserve p n"));
  EXPECT_FALSE(find("p"));
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
  EXPECT_EQ(core->scheduler().queue().size(queue::Place::kInFlight), 0u);
  EXPECT_EQ(core->snapshot().nodes().rows(), 1u);
}

// kube-scheduler tells of a deleted pod that had no node, which makes no room, and does not forget
// the assumed pod, since its cache has moved it.
TEST_F(PermitTest, AHeldPodThatAnotherSchedulerBindsIsAnAddedPodForOthers) {
  for (const bool removed : {false, true}) {
    start_with(waits("First", 10));
    cluster().put_node(node("n", 1));
    schedule({pod("p"), pod("q")});
    ASSERT_EQ(cluster().pod(find("p")).state, model::PodState::kPermitWaiting);
    ASSERT_EQ(place("q"), queue::Place::kUnschedulable);
    cluster().put_node(node("m", 1));
    take_calls();
    model::Pod elsewhere = pod("p");
    elsewhere.spec.node_name = "m";
    if (removed) {
      apply(model::deleted_pod("default", "p"));
    } else {
      apply(model::modified(of_template(elsewhere)));
      EXPECT_EQ(cluster().pods_on("m").size(), 1u);
    }
    EXPECT_THAT(take_calls(), ElementsAre("Second unreserve p n", "First unreserve p n"));
    EXPECT_TRUE(cluster().pods_on("n").empty());
    EXPECT_EQ(place("q") == queue::Place::kUnschedulable, !removed);
  }
}

TEST_F(PermitTest, AWaitingVictimIsRefusedAndNotEvicted) {
  start_with(waits("First", 60));
  cluster().put_node(node("n", 1));
  schedule({pod("p")});
  model::Pod high = pod("high");
  high.spec.priority = 10;
  take();
  schedule({high});
  const std::vector<std::string> lines = take();
  EXPECT_THAT(lines, Contains("p refused: 0/1 nodes are available: 1 preempted."));
  EXPECT_THAT(lines, Contains("high nominated n"));
  EXPECT_THAT(lines, Contains("p preempted in Permit"));
  EXPECT_THAT(lines, Not(Contains("p evicted")));
  EXPECT_THAT(refusers("p"), ElementsAre("DefaultPreemption"));
  EXPECT_EQ(place("p"), queue::Place::kUnschedulable);
}

TEST_F(PermitTest, TheNodeOfAPodThatWaitsIsAnnouncedOnce) {
  rules.set(Rule::kAnnouncedNodes, true);
  start_with(waits("First", 60));
  schedule({pod("p")});
  EXPECT_THAT(take(), ElementsAre("p on n", "p announced on n", "p waits"));
  EXPECT_EQ(cluster().text(core->door().latest(find("p")).nominated_node), "n");
  EXPECT_FALSE(cluster().pod(find("p")).nominated) << "it is assumed";
  core->door().allow(find("p"), "First");
  core->settle();
  EXPECT_THAT(take(), ElementsAre("p bound to n"));
}

TEST_F(PermitTest, ANodeThatTheStatusNamesIsNotAnnounced) {
  rules.set(Rule::kAnnouncedNodes, true);
  start_with(waits("First", 60));
  model::Pod named = pod("p");
  named.nominated_node_name = "n";
  schedule({named});
  EXPECT_THAT(take(), ElementsAre("p on n", "p waits"));
}

TEST_F(PermitTest, ARefusalClearsWhatWasAnnouncedBefore) {
  rules.set(Rule::kAnnouncedNodes, true);
  rules.set(Rule::kListedPodCompared, true);
  start_with(waits("First", 60));
  schedule({pod("p")});
  take();
  core->door().reject(find("p"), "First", "no");
  EXPECT_THAT(take(), ElementsAre("p refused: 0/1 nodes are available: 1 no.", "p nominated "));
  EXPECT_EQ(cluster().pod(find("p")).nominated_node, 0u);
}

// Others hear of the announcement after the failure, which has nothing to clear.
TEST_F(PermitTest, AFailureInTheSameAttemptLeavesTheNodeAnnounced) {
  rules.set(Rule::kAnnouncedNodes, true);
  rules.set(Rule::kListedPodCompared, true);
  start_with(rule("First", "preBind", R"("default/p","default/q")", R"("error","message":"no")"));
  schedule({pod("p")});
  EXPECT_THAT(take(), ElementsAre("p on n", "p announced on n",
                                  "p failed: running PreBind plugin \"First\": no"));
  EXPECT_TRUE(cluster().pod(find("p")).nominated);
  EXPECT_EQ(cluster().text(cluster().pod(find("p")).nominated_node), "n");
  // A name that it had before is cleared, and that is the later write.
  cluster().put_node(node("m"));
  model::Pod named = pod("q");
  named.nominated_node_name = "unknown";
  schedule({named});
  EXPECT_EQ(cluster().pod(find("q")).nominated_node, 0u);
  EXPECT_FALSE(cluster().pod(find("q")).nominated);
}

TEST_F(PermitTest, AWaitingVictimFailsInLaterVersions) {
  rules.set(Rule::kPreemptedWaitingErrs, true);
  start_with(waits("First", 60));
  cluster().put_node(node("n", 1));
  schedule({pod("p")});
  model::Pod high = pod("high");
  high.spec.priority = 10;
  take();
  schedule({high});
  const std::vector<std::string> lines = take();
  EXPECT_THAT(lines, Contains("p preempted in Permit"));
  EXPECT_THAT(lines, Contains("p failed: waiting on permit for pod: preempted"));
  EXPECT_THAT(lines, Not(Contains("p evicted")));
  EXPECT_THAT(refusers("p"), IsEmpty());
  EXPECT_EQ(place("p"), queue::Place::kErrorBackoff);
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
}

TEST_F(PermitTest, APodThatIsBeingDeletedWhileItWaitsMakesRoomAtOnce) {
  for (const bool leaves : {false, true}) {
    rules.set(Rule::kAssumedPodLeaves, leaves);
    start_with(waits("First", 60));
    cluster().put_node(node("n", 1));
    schedule({pod("p"), pod("q")});
    ASSERT_EQ(place("q"), queue::Place::kUnschedulable);
    take();
    server->delete_pod(find("p"), core->now() + seconds(30));
    EXPECT_EQ(is_placed("p"), !leaves);
    EXPECT_EQ(place("q") == queue::Place::kUnschedulable, !leaves);
    if (!leaves) continue;
    EXPECT_THAT(take(), ElementsAre("p refused: 0/1 nodes are available: 1 removed."));
    EXPECT_NE(place("p"), queue::Place::kNone) << "it is passed over when its turn comes";
    core->advance_to(core->now() + seconds(30));
    EXPECT_FALSE(find("p"));
  }
}

TEST_F(PermitTest, APodGoesOnAlthoughItsNodeIsGone) {
  start_with(waits("First", 60));
  schedule({pod("p")});
  take_calls();
  apply(model::deleted(node("n")));
  core->door().allow(find("p"), "First");
  core->settle();
  EXPECT_THAT(bindings.all, ElementsAre("p@n"));
  EXPECT_THAT(take_calls(), ElementsAre("First preBind p n", "Second preBind p n",
                                        "First postBind p n", "Second postBind p n"));
}

TEST_F(PermitTest, APodIsRefusedAlthoughItsNodeIsGone) {
  start_with(waits("First", 60));
  schedule({pod("p")});
  take_calls();
  apply(model::deleted(node("n")));
  core->door().reject(find("p"), "First", "no");
  EXPECT_THAT(take_calls(), ElementsAre("Second unreserve p n", "First unreserve p n"));
  EXPECT_FALSE(is_placed("p"));
}

TEST_F(PermitTest, APermitThatCompletesAGroupReleasesIt) {
  start_with(rule("Second", "permit", R"("default/a","default/b","default/c")",
                  R"("group","seconds":60,"min":3)"));
  schedule({pod("c"), pod("a")});
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 2u);
  take();
  schedule({pod("b")});
  EXPECT_THAT(take(), ElementsAre("b on n", "b bound to n", "a bound to n", "c bound to n"));
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
}

TEST_F(PermitTest, ARefusalInUnreserveReachesTheOthersOfTheGroup) {
  start_with(rule("First", "permit", R"("default/a","default/b")",
                  R"("group","seconds":60,"min":9,"rejectGroup":true)"));
  schedule({pod("a"), pod("b")});
  take();
  core->door().reject(find("b"), "Second", "no");
  EXPECT_THAT(take(), ElementsAre("b refused: 0/1 nodes are available: 1 no.",
                                  "a refused: 0/1 nodes are available: 1 the group failed."));
}

TEST_F(PermitTest, APreBindRefusalHasItsOwnTextAloneAndBacksOffAsAnError) {
  start_with(
      rule("First", "preBind", R"("default/p")", R"("unschedulable","message":"quota used up")"));
  schedule({pod("p")});
  EXPECT_THAT(take(), ElementsAre("p on n", "p refused: quota used up"));
  EXPECT_EQ(place("p"), queue::Place::kErrorBackoff);
  EXPECT_THAT(take_calls(),
              ElementsAre("First reserve p n", "Second reserve p n", "First permit p n",
                          "Second permit p n", "First preBind p n", "Second unreserve p n",
                          "First unreserve p n"));
}

TEST_F(PermitTest, ReserveAndPermitRefusalsUnreserveAll) {
  start_with(rule("First", "reserve", R"("default/r")", R"("unschedulable","message":"no disk")") +
             "," + rule("First", "permit", R"("default/q")", R"("error","message":"no backend")"));
  schedule({pod("r")});
  EXPECT_THAT(take(), ElementsAre("r 0/1 nodes are available: 1 no disk."));
  EXPECT_THAT(take_calls(),
              ElementsAre("First reserve r n", "Second unreserve r n", "First unreserve r n"));
  schedule({pod("q")});
  EXPECT_THAT(take(), ElementsAre("q running Permit plugin \"First\": no backend"));
  EXPECT_THAT(take_calls(),
              ElementsAre("First reserve q n", "Second reserve q n", "First permit q n",
                          "Second unreserve q n", "First unreserve q n"));
}

}  // namespace
}  // namespace berth::tests
