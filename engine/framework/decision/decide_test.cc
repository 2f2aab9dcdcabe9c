// Decisions over a model and fake hooks, without plugins and without a session.

#include "engine/framework/decision/decide.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "engine/framework/decision/decision_watch.h"
#include "engine/framework/testing/decide_fixture.h"

namespace berth::framework {
namespace {

using testing::DecideTest;
using testing::FakeCall;
using testing::FakeFailure;
using testing::FakeHook;
using testing::FakePlugin;
using testing::FakeWorld;

INSTANTIATE_TEST_SUITE_P(Evaluations, DecideTest,
                         ::testing::Values(Evaluation::kReference, Evaluation::kFull,
                                           Evaluation::kIncremental));

TEST_P(DecideTest, TheBestTotalWins) {
  score_rows(first_, {10, 30, 20, 0});
  score_rows(second_, {5, 0, 20, 39});
  start(4);
  const Decision made = decide();
  EXPECT_EQ(made.outcome, Outcome::kScheduled);
  EXPECT_EQ(made.row, 2u);
  EXPECT_TRUE(made.scored);
  EXPECT_EQ(decider_->search_result().total(2), 40);
  EXPECT_EQ(decider_->search_result().total(3), 39);
}

// Pods of priority 5 like what others do not.
TEST_P(DecideTest, OwnNormalisingHasTheState) {
  refuse(first_, {});
  first_.score_hook = {.inputs = {"node.row", "pod.priority"},
                       .prepare = [](const berth_template& pod) {
                         return *static_cast<const int64_t*>(pod.columns[1].data);
                       }};
  score_rows(first_, {10, 90});
  first_.normalise = BERTH_NORMALISE_OWN;
  first_.normalise_pod = [](const FakeCall& call, int64_t raw) {
    if (call.state() == 7) throw testing::FakeFailure{"no idea"};
    return call.state() == 5 ? 100 - raw : raw;
  };
  start(2);
  EXPECT_EQ(decide().row, 1u);
  model::Pod pod = testing::FakeWorld::pod("q");
  pod.spec.priority = 5;
  EXPECT_EQ(decide(pod).row, 0u);
  pod.spec.priority = 7;
  EXPECT_THAT(decide(pod).message, ::testing::HasSubstr("no idea"));
}

TEST_P(DecideTest, TiesAreDrawnAmongTheBest) {
  score_rows(first_, {7, 9, 9, 9, 8});
  start(5);
  std::set<model::Row> drawn;
  for (uint64_t arrival = 0; arrival < 64; ++arrival) {
    const Decision made = decide(FakeWorld::pod("p"), 0, arrival);
    EXPECT_NE(made.draw, 0u);
    drawn.insert(made.row);
    EXPECT_EQ(decide(FakeWorld::pod("p"), 0, arrival).row, made.row);
  }
  EXPECT_EQ(drawn, (std::set<model::Row>{1, 2, 3}));
}

TEST_P(DecideTest, TiesByNameTakeTheFirstName) {
  score_rows(first_, std::vector<int64_t>(12, 5));
  refuse(first_, {0, 1});
  start(12, {.tie_break = TieBreak::kName});
  const Decision made = decide();
  EXPECT_EQ(world_->cluster().node_name(made.row), "n10");  // before "n2"
  EXPECT_EQ(made.draw, 0u);
}

TEST_P(DecideTest, OneFeasibleRowIsNotScored) {
  score_rows(first_, {1, 2, 3});
  refuse(first_, {0, 2});
  start(3);
  const Decision made = decide();
  EXPECT_EQ(made.row, 1u);
  EXPECT_FALSE(made.scored);
  EXPECT_EQ(made.evaluated, 3u);
  EXPECT_EQ(made.feasible, 1u);
}

// 200 nodes and 50 %: the search stops at the row after the 100th feasible one.
TEST_P(DecideTest, ASampleEndsTheSearch) {
  score_rows(first_, std::vector<int64_t>(200, 0));
  refuse(first_, {151, 153});
  start(200, {.percentage_of_nodes_to_score = 50});
  const Decision made = decide(150);
  EXPECT_EQ(made.feasible, 100u);
  EXPECT_EQ(made.evaluated, 102u);
  EXPECT_EQ(made.next_start, (150u + 102u) % 200);
  std::set<model::Row> searched;
  decider_->search_result().for_each_row([&](model::Row one) { searched.insert(one); });
  EXPECT_EQ(searched.size(), 102u);
  EXPECT_TRUE(searched.contains(150) && searched.contains(199) && searched.contains(51));
  EXPECT_FALSE(searched.contains(52) || searched.contains(149));
}

TEST_P(DecideTest, AForcedPercentageWins) {
  score_rows(first_, std::vector<int64_t>(300, 0));
  start(300, {.percentage_of_nodes_to_score = 50, .forced_percentage = 100});
  EXPECT_EQ(decide().feasible, 300u);
}

TEST_P(DecideTest, WithoutScoresTheFirstFeasibleRowWins) {
  refuse(first_, {3, 4});
  start(10);
  const Decision made = decide(3);
  EXPECT_EQ(made.row, 5u);
  EXPECT_EQ(made.evaluated, 3u);
  EXPECT_EQ(made.next_start, 6u);
}

TEST(NodesToFind, AsKubeScheduler) {
  EXPECT_EQ(nodes_to_find(0, 99), 99u);
  EXPECT_EQ(nodes_to_find(10, 500), 100u);
  EXPECT_EQ(nodes_to_find(0, 1000), 420u);
  EXPECT_EQ(nodes_to_find(0, 5000), 500u);
  EXPECT_EQ(nodes_to_find(0, 100'000), 5000u);
  EXPECT_EQ(nodes_to_find(40, 5000), 2000u);
}

TEST_P(DecideTest, TheFirstRefusalOfARowCounts) {
  refuse(first_, {0, 1});
  refuse(second_, {1, 2}, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  start(3);
  const Decision made = decide();
  EXPECT_EQ(made.outcome, Outcome::kUnschedulable);
  EXPECT_EQ(made.message, "0/3 nodes are available: 1 Second says 1, 2 First says 1.");
  EXPECT_EQ(decider_->refusal(1)->plugin, "First");
  EXPECT_EQ(decider_->refusal(2)->plugin, "Second");
  EXPECT_EQ(decider_->refusal(2)->code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
}

TEST_P(DecideTest, WithoutNodes) {
  refuse(first_, {});
  start(0);
  const Decision made = decide();
  EXPECT_EQ(made.outcome, Outcome::kUnschedulable);
  EXPECT_EQ(made.message, "no nodes available to schedule pods");
}

model::Pod nominated_to(const std::string& node) {
  model::Pod made = FakeWorld::pod("p");
  made.nominated_node_name = node;
  return made;
}

TEST_P(DecideTest, AFeasibleNominatedNodeIsTakenAtOnce) {
  score_rows(first_, {9, 9, 0});
  refuse(second_, {0});
  start(3);
  Decision made = decide(nominated_to("n2"), 1);
  EXPECT_EQ(made.row, 2u);
  EXPECT_EQ(made.evaluated, 1u);
  EXPECT_EQ(made.next_start, 1u);
  EXPECT_FALSE(made.scored);
  // One that is refused, or that is gone, is no reason to fail.
  EXPECT_EQ(decide(nominated_to("n0")).row, 1u);
  EXPECT_EQ(decide(nominated_to("gone")).row, 1u);
}

TEST_P(DecideTest, ARefusedNominatedNodeOutsideTheSearchIsAStatus) {
  narrow_to(first_, {"n1"});
  refuse(second_, {0, 1});
  start(3);
  const Decision made = decide(nominated_to("n0"));
  EXPECT_EQ(made.outcome, Outcome::kUnschedulable);
  EXPECT_EQ(made.evaluated, 2u);
  EXPECT_EQ(
      made.message,
      "0/3 nodes are available: 1 node(s) didn't satisfy plugin(s) [First Second], 2 Second says "
      "1.");
}

// The text of nodes outside the narrowed search names the filter that refused the nominated node,
// wherever that node is.
TEST_P(DecideTest, TheTextOfNarrowedNodesNamesTheRefuserOfTheNominatedNode) {
  const auto outside = [&](const std::string& nominated) {
    EXPECT_EQ(decide(nominated_to(nominated)).outcome, Outcome::kUnschedulable);
    EXPECT_EQ(decider_->refusal(2)->plugin, "PreFilter");
    return decider_->refusal(2)->reasons[0];
  };
  const std::string narrowed = "node(s) didn't satisfy plugin(s) ";
  narrow_to(second_, {"n1"});
  refuse(first_, {0, 1});
  start(3);
  EXPECT_EQ(outside("n1"), narrowed + "[First Second]");
  EXPECT_EQ(outside("n0"), narrowed + "[First Second]");
  // The search alone names nobody, and neither does a nominated node that is gone.
  EXPECT_EQ(outside(""), narrowed + "[Second]");
  EXPECT_EQ(outside("gone"), narrowed + "[Second]");
}

TEST_P(DecideTest, ThePluginThatNarrowsAndRefusesTheNominatedNodeIsNamedOnce) {
  narrow_to(first_, {"n1"});
  refuse(first_, {1});
  start(2);
  EXPECT_EQ(decide(nominated_to("n1")).message,
            "0/2 nodes are available: 1 First says 1, 1 node(s) didn't satisfy plugin(s) [First].");
}

// A failure on the nominated node is no refusal.
TEST_P(DecideTest, AFailureOnTheNominatedNodeNamesNobody) {
  narrow_to(second_, {"n1"});
  first_.filter = [](const FakeCall& call, size_t i) {
    return static_cast<uint8_t>(row(call, i) == 0 ? BERTH_ERROR : BERTH_UNSCHEDULABLE);
  };
  start(3);
  EXPECT_EQ(decide(nominated_to("n0")).outcome, Outcome::kUnschedulable);
  EXPECT_EQ(decider_->refusal(2)->reasons[0], "node(s) didn't satisfy plugin(s) [Second]");
}

TEST_P(DecideTest, PreFilterNarrowsTheSearch) {
  narrow_to(first_, {"n4", "n1", "gone"});
  narrow_to(second_, {"n4", "n1", "n2"});
  score_rows(first_, {9, 1, 9, 9, 2});
  start(5);
  const Decision made = decide(3);
  EXPECT_EQ(made.row, 4u);
  EXPECT_EQ(made.evaluated, 2u);
  EXPECT_EQ(made.next_start, 0u);
  EXPECT_EQ(decider_->refusal(0)->plugin, "PreFilter");
  EXPECT_EQ(decider_->refusal(0)->reasons[0], "node(s) didn't satisfy plugin(s) [First Second]");
}

TEST_P(DecideTest, PreFiltersThatLeaveNoNodeRefuseThePod) {
  narrow_to(first_, {"n1"});
  narrow_to(second_, {"n2"});
  start(3);
  const Decision made = decide();
  ASSERT_TRUE(made.pre_filter);
  EXPECT_EQ(made.message,
            "0/3 nodes are available: node(s) didn't satisfy plugin(s) [First Second] "
            "simultaneously.");
}

TEST_P(DecideTest, ASkippedPreFilterSkipsItsFilter) {
  first_.pre_filter = [](const FakeCall&, berth_pre_filter_result& result) {
    result.code = BERTH_SKIP;
  };
  refuse(first_, {0, 1});
  start(2);
  EXPECT_EQ(decide().outcome, Outcome::kScheduled);
}

// After an Unschedulable the others are asked, and the last one's words count; an unresolvable one
// is the last.
TEST_P(DecideTest, TheLastRefusalOfPreFilterCounts) {
  const auto refusal = [](berth_code code, uint32_t reason) {
    return [=](const FakeCall&, berth_pre_filter_result& result) {
      result.code = code;
      result.reason = reason;
    };
  };
  first_.pre_filter = refusal(BERTH_UNSCHEDULABLE, 7);
  second_.pre_filter = refusal(BERTH_UNSCHEDULABLE, 8);
  start(2);
  EXPECT_EQ(decide().message, "0/2 nodes are available: Second says 8.");
  first_.pre_filter = refusal(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 9);
  start(2);
  EXPECT_EQ(decide().message, "0/2 nodes are available: First says 9.");
}

TEST_P(DecideTest, NominatedPodsCountForPodsThatAreNotAboveThem) {
  first_.filter_hook.inputs = {"node.row", "node.pods"};
  first_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
    return call.at<int64_t>(1, i) == 0 ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
  };
  start(2);
  model::Pod other = FakeWorld::pod("other");
  other.nominated_node_name = "n0";
  other.spec.priority = 5;
  world_->cluster().nominate(world_->add(other).id);
  EXPECT_EQ(decide().row, 1u);
  model::Pod above = FakeWorld::pod("above");
  above.spec.priority = 6;
  EXPECT_EQ(decide(above).row, 0u);
}

TEST_P(DecideTest, PreScoreSeesTheFeasibleRowsAndMaySkip) {
  std::vector<uint64_t> seen;
  first_.pre_score_hook.depends = BERTH_DEPENDS_FEASIBLE;
  first_.pre_score = [&](const FakeCall&, const berth_feasible* feasible,
                         berth_pre_score_result& result) {
    seen.push_back(feasible->rows[0]);
    result.code = BERTH_SKIP;
  };
  score_rows(first_, {0, 0, 50, 0});
  score_rows(second_, {0, 1, 0, 2});
  refuse(second_, {0});
  start(4);
  EXPECT_EQ(decide().row, 3u);
  EXPECT_EQ(seen, (std::vector<uint64_t>{0b1110}));
}

// The reference evaluation prepares and asks for each decision; the others keep what they know.
TEST_P(DecideTest, OnlyTheReferencePreparesAndAsksAnew) {
  int prepared = 0, asked = 0, scored = 0, filtered = 0;
  const auto prepare = [&](const berth_template&) -> int64_t { return ++prepared; };
  first_.pre_filter_hook = {.inputs = {"pod.priority"}, .prepare = prepare};
  first_.filter_hook.prepare = first_.score_hook.prepare = prepare;
  first_.pre_score_hook = {.inputs = {"pod.priority"}, .prepare = prepare};
  first_.pre_filter = [&](const FakeCall&, berth_pre_filter_result&) { ++asked; };
  first_.pre_score = [&](const FakeCall&, const berth_feasible*, berth_pre_score_result&) {
    ++asked;
  };
  first_.filter = [&](const FakeCall&, size_t) { return uint8_t(++filtered * 0); };
  first_.score = [&](const FakeCall&, size_t) { return ++scored * 0; };
  start(2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(decide().outcome, Outcome::kScheduled);
  const bool reference = GetParam() == Evaluation::kReference;
  EXPECT_EQ(prepared, reference ? 12 : 4);
  EXPECT_EQ(asked, reference ? 6 : 2);
  const bool kept = GetParam() == Evaluation::kIncremental;
  EXPECT_EQ(filtered, kept ? 2 : 6);
  EXPECT_EQ(scored, kept ? 2 : 6);
}

// Of a pod that waits: nothing where answers hold for one decision, or where the pod's decision
// ends early.
class IntroduceTest : public DecideTest {
 protected:
  IntroduceTest() {
    for (FakeHook* hook : {&first_.pre_filter_hook, &first_.pre_score_hook})
      *hook = {.inputs = {"pod.priority"}};
    first_.pre_filter = [this](const FakeCall&, berth_pre_filter_result& result) {
      ++asked_;
      result.code = code_;
    };
    first_.pre_score = [this](const FakeCall&, const berth_feasible*, berth_pre_score_result&) {
      ++asked_;
    };
    refuse(first_, {0});
    score_rows(first_, {0, 1, 2});
  }
  bool introduces() {
    record_ = world_->cluster().record_of(FakeWorld::pod("p"));
    return decider_->introduce(*profile_, {.pod = &record_}).has_value();
  }
  int asked_ = 0;
  berth_code code_ = BERTH_SUCCESS;
};

INSTANTIATE_TEST_SUITE_P(Evaluations, IntroduceTest, ::testing::Values(Evaluation::kIncremental));

TEST_P(IntroduceTest, TheDecisionTakesTheAnswers) {
  start(3);
  ASSERT_TRUE(evaluator_->prepares_new_kinds());
  EXPECT_TRUE(introduces());
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(decide().row, 2u);
  EXPECT_EQ(asked_, 2);
}

TEST_P(IntroduceTest, NothingIfPreFilterRefusesThePod) {
  code_ = BERTH_UNSCHEDULABLE;
  start(3);
  EXPECT_FALSE(introduces());
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(decide().message, "0/3 nodes are available: First says 0.");
}

TEST_P(IntroduceTest, NothingIfPreFilterNarrowsTheSearch) {
  narrow_to(first_, {"n1", "n2"});
  start(3);
  EXPECT_FALSE(introduces());
  EXPECT_EQ(asked_, 0);  // PreScore, which is not asked
  EXPECT_EQ(decide().row, 2u);
}

TEST_P(IntroduceTest, NothingIfAnAnswerFollowsTheFeasibleRows) {
  first_.pre_score_hook.depends = BERTH_DEPENDS_FEASIBLE;
  start(3);
  EXPECT_FALSE(introduces());
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(decide().row, 2u);
}

TEST_P(IntroduceTest, NothingIfPreScoreFails) {
  first_.pre_score = [this](const FakeCall&, const berth_feasible*, berth_pre_score_result&) {
    ++asked_;
    throw FakeFailure{};
  };
  start(3);
  EXPECT_FALSE(introduces());
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(decide().outcome, Outcome::kError);
}

TEST_P(IntroduceTest, NothingWithoutNodes) {
  start(0);
  EXPECT_FALSE(introduces());
  EXPECT_EQ(asked_, 0);
}

// Notes the steps, and the total of the chosen row if the decision was scored.
struct Witness final : DecisionWatch {
  void begins(const model::PodRecord&) override { steps.push_back("begins"); }
  void ordered() override { steps.push_back("ordered"); }
  void searched() override { steps.push_back("searched"); }
  void ranked() override { steps.push_back("ranked"); }
  void decided(const Decider& decider, const Decision& decision) override {
    steps.push_back("decided");
    if (decision.scored && decision.row != model::kNoRow)
      steps.push_back(std::to_string(decider.search_result().total(decision.row)));
  }
  std::vector<std::string> take() { return std::exchange(steps, {}); }
  std::vector<std::string> steps;
};

TEST_P(DecideTest, AWatchSeesTheStepsThatWereTaken) {
  using Steps = std::vector<std::string>;
  Witness witness;
  score_rows(first_, {1, 3, 2});
  start(3, {.watch = &witness});
  decide();
  EXPECT_EQ(witness.take(), (Steps{"searched", "ranked", "decided", "3"}));
  refuse(first_, {0, 1});
  start(3, {.watch = &witness});
  EXPECT_EQ(decide().row, 2u);
  EXPECT_EQ(witness.take(), (Steps{"searched", "decided"}));  // one row is not scored
  refuse(first_, {0, 1, 2});
  start(3, {.watch = &witness});
  EXPECT_EQ(decide().outcome, Outcome::kUnschedulable);
  EXPECT_EQ(witness.take(), (Steps{"searched", "decided"}));
  start(0, {.watch = &witness});
  EXPECT_EQ(decide().outcome, Outcome::kUnschedulable);
  EXPECT_EQ(witness.take(), (Steps{"decided"}));
}

TEST_P(DecideTest, AWatchSeesNoStepThatFailed) {
  Witness witness;
  first_.pre_filter = [](const FakeCall&, berth_pre_filter_result& result) {
    result.code = BERTH_ERROR;
  };
  start(2, {.watch = &witness});
  EXPECT_EQ(decide().outcome, Outcome::kError);
  EXPECT_EQ(witness.take(), std::vector<std::string>{"decided"});
}

}  // namespace
}  // namespace berth::framework
