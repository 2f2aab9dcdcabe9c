// A pod from its arrival to its binding, or back: one identity, every rollback, and what updates
// and deletions do to it on the way.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kScribe[] =
    R"([{"schedulerName":"default-scheduler","plugins":{"multiPoint":{"enabled":[{"name":"Scribe"}]}}}])";
constexpr char kScribeThenPicky[] =
    R"([{"schedulerName":"default-scheduler","plugins":{
       "multiPoint":{"enabled":[{"name":"Scribe"}]},
       "bind":{"disabled":[{"name":"DefaultBinder"}],"enabled":[{"name":"Picky"}]}}}])";

class LifecycleTest : public CoreTest {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(BERTH_BUILD_DIR) / "test" /
            (std::string("scribe-") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt");
    std::filesystem::remove(path_);
    ::setenv("BERTH_TEST_SCRIBE", path_.c_str(), 1);
  }
  void TearDown() override { ::unsetenv("BERTH_TEST_SCRIBE"); }

  // Points at which the plugin was called for the pod, in order. All calls show one handle.
  std::vector<std::string> points_of(const std::string& name) {
    std::vector<std::string> points;
    std::string handle;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string point, number, pod;
      words >> point >> number >> pod;
      if (pod != name) continue;
      if (handle.empty()) handle = number;
      EXPECT_EQ(number, handle) << point << " of " << name;
      points.push_back(point);
    }
    EXPECT_NE(handle, "0");
    return points;
  }
  std::string message_of(const std::string& result) {
    const auto at = std::find(results.begin(), results.end(), result);
    EXPECT_NE(at, results.end()) << result;
    return at == results.end() ? "" : messages[static_cast<size_t>(at - results.begin())];
  }

 private:
  std::filesystem::path path_;
};

TEST_F(LifecycleTest, APodHasOneHandleFromPreEnqueueToPostBind) {
  start(kScribe);
  cluster().put_node(node("n"));
  schedule({pod("a"), pod("b")});
  for (const char* name : {"a", "b"})
    EXPECT_THAT(points_of(name),
                ElementsAre("PreEnqueue", "Reserve", "PreFlight", "PreBind", "PostBind"));
  EXPECT_EQ(cluster().pod(find("a")).state, model::PodState::kBound);
}

TEST_F(LifecycleTest, PostBindFollowsAnAnswerThatComesLater) {
  start(kScribe);
  apply(model::added(node("n")));
  bindings.answers["p"] = {binding::BindAnswer::Kind::kUnderWay};
  schedule({pod("p")});
  EXPECT_THAT(points_of("p"), Not(Contains("PostBind")));
  const runtime::BindingAnswer answer{bindings.numbers.at("p"), {}};
  EXPECT_EQ(core->door().answer({&answer, 1}), 0u);
  EXPECT_EQ(points_of("p").back(), "PostBind");
}

// The server has bound it, as the update told.
TEST_F(LifecycleTest, PostBindIsNotLostIfAPodLeavesBeforeTheAnswer) {
  start(kScribe);
  apply(model::added(node("n")));
  bindings.answers["p"] = {binding::BindAnswer::Kind::kUnderWay};
  schedule({pod("p")});
  model::Pod seen = pod("p");
  seen.spec.node_name = "n";
  apply(model::modified(of_template(seen)));
  core->door().remove(find("p"));
  EXPECT_EQ(points_of("p").back(), "PostBind");
}

// The binding thread is faster than the owner, who has not looked at its batch.
TEST_F(LifecycleTest, AnAnswerMayComeBeforeTheOwnerLooks) {
  start(kScribe);
  apply(model::added(node("n")));
  bindings.answers["p"] = {binding::BindAnswer::Kind::kUnderWay};
  arrive({pod("p")});
  core->step();
  core->publish();
  const runtime::BindingAnswer answer{bindings.numbers.at("p"), {}};
  EXPECT_EQ(core->door().answer({&answer, 1}), 0u);
  EXPECT_EQ(points_of("p").back(), "PostBind");
}

TEST_F(LifecycleTest, ABindingThatFailsUnreserves) {
  start(kScribeThenPicky);
  cluster().put_node(node("n"));
  schedule({pod("fail-1"), pod("good")});
  EXPECT_THAT(points_of("fail-1"), ElementsAre("PreEnqueue", "Reserve", "PreFlight", "PreBind",
                                               "Unreserve", "PreEnqueue"));
  EXPECT_THAT(points_of("good"), Not(Contains("Unreserve")));
  EXPECT_FALSE(is_placed("fail-1"));
}

TEST_F(LifecycleTest, APreBindThatFailsUnreservesAndTheBinderDoesNotSeeThePod) {
  start(kScribe);
  cluster().put_node(node("n"));
  schedule({pod("before-fail-1"), pod("good")});
  EXPECT_THAT(points_of("before-fail-1"), ElementsAre("PreEnqueue", "Reserve", "PreFlight",
                                                      "PreBind", "Unreserve", "PreEnqueue"));
  EXPECT_FALSE(is_placed("before-fail-1"));
  EXPECT_THAT(bindings.all, ElementsAre("good@n"));
}

TEST_F(LifecycleTest, APreFlightThatFailsIsAFailureAndNoSkip) {
  start(kScribe);
  cluster().put_node(node("n"));
  schedule({pod("flight-fail-1"), pod("flight-skip-1"), pod("good")});
  EXPECT_THAT(points_of("flight-fail-1"),
              ElementsAre("PreEnqueue", "Reserve", "PreFlight", "Unreserve", "PreEnqueue"));
  EXPECT_EQ(message_of("flight-fail-1 error"),
            "running PreBind plugin \"Scribe\": no luck for flight-fail-1");
  EXPECT_FALSE(is_placed("flight-fail-1"));
  EXPECT_THAT(points_of("flight-skip-1"),
              ElementsAre("PreEnqueue", "Reserve", "PreFlight", "PostBind"));
  EXPECT_THAT(bindings.all, ElementsAre("flight-skip-1@n", "good@n"));
}

TEST_F(LifecycleTest, EachPodOfABatchFailsWithItsOwnText) {
  start(kScribe);
  cluster().put_node(node("n"));
  schedule({pod("before-fail-1"), pod("good"), pod("before-fail-2")});
  EXPECT_EQ(message_of("before-fail-1 error"),
            "running PreBind plugin \"Scribe\": no luck for before-fail-1");
  EXPECT_EQ(message_of("before-fail-2 error"),
            "running PreBind plugin \"Scribe\": no luck for before-fail-2");
}

TEST_F(LifecycleTest, NoHookIsCalledForABatchOfWhichNothingIsLeft) {
  start(kScribe);
  cluster().put_node(node("n"));
  schedule({pod("flight-fail-1"), pod("flight-fail-2")});
  const host::HookTable& hooks = core->hooks();
  uint64_t seen = 0;
  for (host::HookId id = 1; id <= hooks.size(); ++id) {
    const std::string hook = hooks.name(id).hook;
    if (hook != "Bind" && hook != "PostBind") continue;
    ++seen;
    EXPECT_EQ(core->calls().counts(id).calls, 0u) << hooks.name(id).plugin << " " << hook;
    for (const host::CallContext* other : core->scheduler().decisions().other_calls())
      EXPECT_EQ(other->counts(id).calls, 0u) << hooks.name(id).plugin << " " << hook;
  }
  EXPECT_GE(seen, 2u);
}

// A pod that does not keep its node loses its nomination. Source: kube-scheduler schedule_one.go
// newFailureNominatingInfo.
TEST_F(LifecycleTest, AFailedBindingClearsTheNomination) {
  start(kScribe);
  cluster().put_node(node("n"));
  model::Pod nominated = pod("before-fail-1");
  nominated.nominated_node_name = "n";
  schedule({nominated});
  EXPECT_EQ(cluster().pod(find("before-fail-1")).nominated_node, 0u);
  EXPECT_TRUE(cluster().nodes().nominations().slots().empty());
}

TEST_F(LifecycleTest, ADeletedPodTakesItsNominationAlong) {
  start();
  cluster().put_node(node("n", 0));
  model::Pod nominated = pod("p");
  nominated.nominated_node_name = "n";
  nominated.spec.preemption_policy = "Never";  // else its nomination ends, as nothing helps it
  schedule({nominated});
  EXPECT_EQ(cluster().nodes().nominations().slots().size(), 1u);
  apply(model::deleted_pod("default", "p"));
  EXPECT_TRUE(cluster().nodes().nominations().slots().empty());
  EXPECT_FALSE(find("p"));
}

TEST_F(LifecycleTest, APodThatIsDeletedInTheQueueIsNotTried) {
  start();
  cluster().put_node(node("n"));
  arrive({pod("gone"), pod("stays")});
  apply(model::deleted_pod("default", "gone"));
  core->run_until_idle();
  EXPECT_THAT(results, ElementsAre("stays scheduled n"));
}

TEST_F(LifecycleTest, APodThatIsRecreatedIsAnotherPod) {
  start();
  cluster().put_node(node("n"));
  arrive({pod("p")});
  const model::PodId first = find("p");
  apply(model::deleted_pod("default", "p"));
  schedule({pod("p")});
  EXPECT_NE(find("p"), first);
  EXPECT_THAT(results, ElementsAre("p scheduled n"));
}

TEST_F(LifecycleTest, LiftedGatesCount) {
  start();
  cluster().put_node(node("n"));
  model::Pod gated = pod("p");
  gated.spec.scheduling_gates = {"example.com/a"};
  schedule({gated});
  EXPECT_EQ(cluster().pod(find("p")).state, model::PodState::kGated);
  apply(model::modified(of_template(pod("p"))));
  core->run_until_idle();
  EXPECT_THAT(results, ElementsAre("p gated by SchedulingGates", "p scheduled n"));
}

TEST_F(LifecycleTest, AnUpdateOfAQueuedPodIsWhatIsScheduled) {
  start();
  cluster().put_node(node("n", 1));
  model::Pod high = pod("second");
  high.spec.priority = 10;
  arrive({pod("first"), pod("second")});
  apply(model::modified(of_template(high)));
  core->run_until_idle();
  EXPECT_THAT(results, ElementsAre("second scheduled n", "first unschedulable"));
}

TEST_F(LifecycleTest, AnUpdateOfAnUnknownPodAddsIt) {
  start();
  cluster().put_node(node("n"));
  model::Pod running = pod("running");
  running.spec.node_name = "n";
  apply(model::modified(of_template(pod("waits"))));
  apply(model::modified(of_template(running)));
  core->run_until_idle();
  EXPECT_THAT(results, ElementsAre("waits scheduled n"));
  EXPECT_TRUE(is_placed("running"));
}

TEST_F(LifecycleTest, APodThatSomebodyElseBindsLeavesTheQueue) {
  start();
  cluster().put_node(node("n"));
  cluster().put_node(node("m"));
  arrive({pod("p")});
  model::Pod elsewhere = pod("p");
  elsewhere.spec.node_name = "m";
  apply(model::modified(of_template(elsewhere)));
  core->run_until_idle();
  EXPECT_TRUE(results.empty());
  EXPECT_THAT(cluster().pods_on("m"), ElementsAre(find("p")));
}

// Bindings are visible 100 ms after a decision, also while further decisions are made.
TEST_F(LifecycleTest, BindingsDoNotWaitForAFullBatch) {
  using std::chrono::milliseconds;
  start();
  cluster().put_node(node("n"));
  arrive({pod("a"), pod("b"), pod("c")});
  core->step(milliseconds(1000));
  core->step(milliseconds(1099));
  EXPECT_EQ(bindings.visible, 0u);
  core->step(milliseconds(1100));
  EXPECT_EQ(bindings.visible, 3u);
}

TEST_F(LifecycleTest, ANodeThatIsRemovedIsRemovedAfterItsBindings) {
  start();
  cluster().put_node(node("n"));
  arrive({pod("a")});
  core->step(Time{0});
  apply(model::deleted(node("n")));
  EXPECT_THAT(bindings.all, ElementsAre("a@n"));
  EXPECT_EQ(core->snapshot().nodes().rows(), 0u);
}

}  // namespace
}  // namespace berth::tests
