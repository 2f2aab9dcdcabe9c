// A decision that is made again by the reference evaluation equals the first one, unless a plugin
// reads what it does not declare; and the second one leaves nothing behind.

#include "engine/framework/verification/verifier.h"

#include <gtest/gtest.h>

#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

class VerifierTest : public ::testing::Test {
 protected:
  // A plugin whose filter refuses nodes with `full_` pods or more, and whose score follows
  // `bright_`; it declares node.pods. `every`: see VerificationPace.
  void start(uint32_t nodes, uint64_t every = 1) {
    plugin_.filter_hook.inputs = {"node.pods"};
    plugin_.filter = [this](const FakeCall& call, size_t i) {
      return call.at<int64_t>(0, i) >= full_ ? uint8_t{BERTH_UNSCHEDULABLE}
                                             : uint8_t{BERTH_SUCCESS};
    };
    plugin_.score_hook.inputs = {"node.pods"};
    plugin_.score = [this](const FakeCall& call, size_t i) {
      return bright_ - call.at<int64_t>(0, i);
    };
    world_.emplace(nodes);
    profile_ = world_->profile({&plugin_});
    const DecideOptions decide{.percentage_of_nodes_to_score = 100};
    evaluator_ = make_evaluator(Evaluation::kIncremental, world_->cluster(), world_->calls(),
                                FullOptions{.ranking_from = 1});
    decider_.emplace(world_->cluster(), *evaluator_, world_->calls(), decide);
    verifier_.emplace(world_->cluster(), decide, nullptr, every);
  }
  ~VerifierTest() override {
    verifier_.reset();
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }

  std::optional<Difference> schedule() {
    model::Cluster& cluster = world_->cluster();
    const model::PodRecord& pod = world_->add(FakeWorld::pod("p" + std::to_string(pods_++)));
    cluster.order_rows();
    const Request request{.pod = &cluster.pod(pod.id)};
    const Decision& decision = decider_->decide(*profile_, request);
    auto difference = verifier_->after(*profile_, request, *decider_, decision);
    if (decision.outcome == Outcome::kScheduled) cluster.place(pod.id, decision.row);
    return difference;
  }
  uint64_t calls(const host::CallContext& of) {
    return of.counts(profile_->filter[0].point->id()).calls +
           of.counts(profile_->score[0].point->id()).calls;
  }

  std::optional<FakeWorld> world_;
  FakePlugin plugin_{"Hidden"};
  int64_t full_ = 3, bright_ = 50;  // not among the inputs
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Decider> decider_;
  std::optional<Verifier> verifier_;
  uint64_t pods_ = 0;
};

TEST_F(VerifierTest, EqualDecisionsHaveNoDifference) {
  start(20);
  for (int i = 0; i < 70; ++i) EXPECT_EQ(schedule(), std::nullopt) << i;  // the last are refused
  EXPECT_EQ(verifier_->counts().verified, 70u);
  EXPECT_EQ(verifier_->counts().not_compared, 0u);
}

TEST_F(VerifierTest, AScoreThatFollowsSomethingUndeclaredIsNamed) {
  start(20);
  EXPECT_EQ(schedule(), std::nullopt);
  bright_ = 60;
  const std::optional<Difference> difference = schedule();
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->what, "raw score");
  EXPECT_EQ(difference->plugin, "Hidden");
  EXPECT_EQ(difference->point, "Score");
  EXPECT_EQ(difference->declared, "node.pods");
  EXPECT_FALSE(difference->node.empty());
  EXPECT_EQ(difference->mine, "50");
  EXPECT_EQ(difference->reference, "60");
  const std::string text = explain(*difference, "default/p1", 2, "incremental").what();
  for (const char* part : {"decision 2", "default/p1", "Hidden, Score", "node: ", "BERTH_DEPENDS"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(VerifierTest, AVerdictThatFollowsSomethingUndeclaredIsNamed) {
  start(20);
  EXPECT_EQ(schedule(), std::nullopt);
  full_ = 0;
  const std::optional<Difference> difference = schedule();
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->what, "verdict");
  EXPECT_EQ(difference->plugin, "Hidden");
  EXPECT_EQ(difference->point, "Filter");
  EXPECT_EQ(difference->mine, "feasible");
  EXPECT_EQ(difference->reference, "refused by Hidden (unschedulable)");
}

// The reference asks about one node, so it does not see this filter fail.
TEST_F(VerifierTest, AFilterThatFailsInSomeCallsIsNamed) {
  plugin_.filter_call = [](const FakeCall& call) {
    if (call.raw().count > 1) throw testing::FakeFailure{"too many"};
  };
  start(20);
  const std::optional<Difference> difference = schedule();
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->what, "outcome");
  EXPECT_EQ(difference->plugin, "Hidden");
  EXPECT_EQ(difference->point, "Filter");
  EXPECT_NE(difference->mine.find("too many"), std::string::npos) << difference->mine;
  EXPECT_EQ(difference->reference, "scheduled");
}

TEST_F(VerifierTest, ExternalAnswersAreNotCompared) {
  plugin_.score_hook.depends = BERTH_DEPENDS_EXTERNAL;
  start(20);
  EXPECT_EQ(schedule(), std::nullopt);
  EXPECT_EQ(verifier_->counts().verified, 0u);
  EXPECT_EQ(verifier_->counts().not_compared, 1u);
}

// The calls of verifications are counted by contexts of their own, and what is kept stays as it is.
TEST_F(VerifierTest, LeavesNothingBehind) {
  full_ = 1000;
  start(20);
  schedule();
  const uint64_t before = calls(world_->calls());
  const uint64_t states = profile_->forgotten();
  for (int i = 0; i < 600; ++i) schedule();
  EXPECT_LE(calls(world_->calls()) - before, 600u * 2);  // the changed row of each hook
  EXPECT_EQ(profile_->forgotten(), states);
  uint64_t own = 0;
  for (const host::CallContext* context : verifier_->calls()) own += calls(*context);
  EXPECT_GE(own, 600u * 20);
}

TEST(VerificationPace, OneOfEachStretch) {
  VerificationPace pace(10, 7);
  std::vector<int> places(10);
  for (int stretch = 0; stretch < 200; ++stretch) {
    int verified = 0;
    for (int i = 0; i < 10; ++i)
      if (pace.next()) ++verified, ++places[static_cast<size_t>(i)];
    EXPECT_EQ(verified, 1);
  }
  for (const int times : places) EXPECT_GT(times, 0);
}

TEST(VerificationPace, FollowsTheCost) {
  const auto verified_in = [](uint64_t decisions, uint64_t calls) {
    VerificationPace pace(VerificationPace::kAsItPays, 7);
    EXPECT_TRUE(pace.wants_estimate());
    pace.took(calls);
    int verified = 0;
    for (uint64_t i = 0; i < decisions; ++i) verified += pace.next();
    return verified;
  };
  const int cheap = verified_in(1'000'000, 1'000), dear = verified_in(1'000'000, 10'000);
  EXPECT_GT(dear, 5);
  EXPECT_GT(cheap, 4 * dear);
}

}  // namespace
}  // namespace berth::framework
