// Which pods are of one kind, and how long a kind's answers hold.

#include "engine/framework/hooks/pod_kinds.h"

#include <gtest/gtest.h>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

class PodKindsTest : public ::testing::Test {
 protected:
  void start(const std::vector<std::string>& inputs) {
    plugin_.filter_hook.inputs = inputs;
    plugin_.filter = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
    plugin_.score = [](const FakeCall&, size_t) -> int64_t { return 1; };
    profile_ = world_.profile({&plugin_});
  }
  // A pod with a label of its own.
  model::Pod pod(int number) {
    model::Pod made = FakeWorld::pod("p" + std::to_string(number));
    made.spec.labels = {{"app", std::to_string(number % 2)}, {"own", std::to_string(number)}};
    return made;
  }
  PodKind* kind(const model::Pod& of) { return &profile_->kind_of(world_.cluster().record_of(of)); }
  // Decides about a pod as before, with a name and a label of its own.
  void decide() {
    if (!decider_) {
      evaluator_ = make_evaluator(Evaluation::kIncremental, world_.cluster(), world_.calls(), {});
      decider_.emplace(world_.cluster(), *evaluator_, world_.calls(), DecideOptions{});
    }
    world_.cluster().order_rows();
    const model::PodRecord& added = world_.add(pod(pods_++));
    EXPECT_EQ(decider_->decide(*profile_, {.pod = &added}).outcome, Outcome::kScheduled);
  }

  FakeWorld world_{3};
  FakePlugin plugin_{"Plugin"};
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Decider> decider_;
  int pods_ = 0;
};

TEST_F(PodKindsTest, ALabelThatNobodyNamesMakesNoKind) {
  start({"pod.priority"});
  EXPECT_EQ(kind(pod(1)), kind(pod(2)));
  model::Pod other = pod(3);
  other.spec.priority = 7;
  EXPECT_NE(kind(pod(1)), kind(other));
}

TEST_F(PodKindsTest, ALabelThatAHookNamesDoes) {
  start({"pod.label:app"});
  EXPECT_NE(kind(pod(1)), kind(pod(2)));
  EXPECT_EQ(kind(pod(1)), kind(pod(3)));
}

TEST_F(PodKindsTest, AFamilyOfLabelsMakesAKindOfEachShape) {
  start({"pod.label:*"});
  EXPECT_NE(kind(pod(1)), kind(pod(3)));
  EXPECT_EQ(kind(pod(1)), kind(pod(1)));
}

TEST_F(PodKindsTest, TermsThatSelectTheOwnLabelMakeAKind) {
  start({"pod.spread_self"});
  const auto spread = [&](int number, const std::string& key) {
    model::Pod made = pod(number);
    model::TopologySpreadConstraint constraint;
    constraint.topology_key = "zone";
    constraint.max_skew = 1;
    constraint.label_selector.emplace();
    constraint.label_selector->match_labels = {{key, "1"}};
    made.spec.topology_spread_constraints.push_back(constraint);
    return made;
  };
  EXPECT_EQ(kind(spread(1, "app")), kind(spread(3, "app")));
  EXPECT_NE(kind(spread(1, "own")), kind(spread(3, "own")));
}

TEST_F(PodKindsTest, AKindIsMadeAnewWhenStatesWereDropped) {
  start({"pod.priority"});
  BoundHook& hook = profile_->filter[0].bound;
  const model::Pod one = pod(1);
  kind(one)->states[hook.index()] = &hook.of(world_.cluster().record_of(one), world_.calls());
  EXPECT_NE(kind(one)->states[hook.index()], nullptr);
  hook.forget_states();
  EXPECT_EQ(kind(one)->states[hook.index()], nullptr);
}

class KeptAnswersTest : public PodKindsTest {
 protected:
  void start(const std::string& pre_filter_input, uint32_t depends = BERTH_DEPENDS_DECLARED) {
    plugin_.pre_filter_hook = {.inputs = {pre_filter_input}, .depends = depends};
    plugin_.pre_filter = [this](const FakeCall&, berth_pre_filter_result&) { ++asked_; };
    plugin_.pre_score = [this](const FakeCall&, const berth_feasible*, berth_pre_score_result&) {
      ++scored_;
    };
    PodKindsTest::start({"pod.priority"});
  }
  int asked_ = 0, scored_ = 0;
};

TEST_F(KeptAnswersTest, PodsOfOneKindAreAskedAboutOnce) {
  start("pod.priority");
  for (int i = 0; i < 10; ++i) decide();
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(scored_, 1);
}

TEST_F(KeptAnswersTest, AHookThatReadsTheNameIsAskedAboutEachPod) {
  start("pod.name");
  for (int i = 0; i < 10; ++i) decide();
  EXPECT_EQ(asked_, 10);
  EXPECT_EQ(scored_, 1);
}

TEST_F(KeptAnswersTest, AHookThatFollowsMoreThanItsInputsIsAskedEachTime) {
  start("pod.priority", BERTH_DEPENDS_EXTERNAL);
  for (int i = 0; i < 10; ++i) decide();
  EXPECT_EQ(asked_, 10);
}

TEST_F(KeptAnswersTest, AnInputThatChangesEndsThem) {
  start("node.unschedulable");
  for (int i = 0; i < 5; ++i) decide();
  EXPECT_EQ(asked_, 1);
  model::Node node = FakeWorld::node("n1");
  node.unschedulable = true;
  world_.cluster().put_node(node);
  for (int i = 0; i < 5; ++i) decide();
  EXPECT_EQ(asked_, 2);
}

}  // namespace
}  // namespace berth::framework
