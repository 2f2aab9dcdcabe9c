// Errors that plugins report, and which of them fail the pod.

#include <gtest/gtest.h>

#include "engine/framework/testing/decide_fixture.h"

namespace berth::framework {
namespace {

using testing::DecideTest;
using testing::FakeCall;
using testing::FakeFailure;

class FailureTest : public DecideTest {};

INSTANTIATE_TEST_SUITE_P(Evaluations, FailureTest,
                         ::testing::Values(Evaluation::kReference, Evaluation::kFull,
                                           Evaluation::kIncremental));

TEST_P(FailureTest, FailuresFailThePod) {
  const auto fails = [](const FakeCall&, auto&&...) -> uint8_t { throw FakeFailure{"broke"}; };
  first_.pre_filter = [](const FakeCall&, berth_pre_filter_result&) { throw FakeFailure{"broke"}; };
  start(3);
  EXPECT_EQ(decide().message, "running PreFilter plugin \"First\": broke");
  first_.pre_filter = nullptr;

  second_.filter = fails;
  refuse(first_, {0});
  start(3);
  Decision made = decide();
  EXPECT_EQ(made.outcome, Outcome::kError);
  EXPECT_EQ(made.message, "running \"Second\" filter plugin: broke");
  EXPECT_EQ(made.evaluated, 1u);
  second_.filter = nullptr;

  first_.pre_score = [](const FakeCall&, const berth_feasible*, berth_pre_score_result&) {
    throw FakeFailure{"broke"};
  };
  score_rows(first_, {1, 2, 3});
  start(3);
  EXPECT_EQ(decide().message, "running PreScore plugin \"First\": broke");
  first_.pre_score = nullptr;

  first_.score = fails;
  start(3);
  EXPECT_EQ(decide().message, "running Score plugins: plugin \"First\" failed with: broke");
  first_.score = nullptr;

  first_.filter_hook.prepare = [](const berth_template&) -> int64_t { throw FakeFailure{"no"}; };
  start(3);
  EXPECT_EQ(decide().message, "running \"First\" filter plugin: no");
}

// A row that fails behind the end of the search is no failure.
TEST_P(FailureTest, AFailureBehindTheSampleDoesNotCount) {
  first_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
    if (row(call, i) >= 3) throw FakeFailure{"broke"};
    return BERTH_SUCCESS;
  };
  start(4);
  EXPECT_EQ(decide(1).row, 1u);  // row 2, feasible as well, ended the search
  EXPECT_EQ(decide(2).outcome, Outcome::kError);
}

// The serial loop asks about one row after the other, so a call about several that fails says
// nothing about those at which the filter does not fail.
TEST_P(FailureTest, ACallThatFailsCountsForTheRowsThatFailAlone) {
  first_.filter = [](const FakeCall&, size_t) { return uint8_t{BERTH_SUCCESS}; };
  first_.filter_call = [](const FakeCall& call) {
    for (size_t i = 0; i < call.raw().count; ++i)
      if (row(call, i) >= 3) throw FakeFailure{"broke"};
  };
  refuse(second_, {0});
  start(4);
  const Decision before = decide();
  EXPECT_EQ(before.row, 1u);
  EXPECT_EQ(before.evaluated, 2u);  // row 2, feasible as well, ended the search
  const Decision at = decide(2);
  EXPECT_EQ(at.outcome, Outcome::kError);
  EXPECT_EQ(at.message, "running \"First\" filter plugin: broke");
  EXPECT_EQ(decider_->search_result().error->row, 3u);
}

// However many rows a call was about, and whichever way they are asked about.
TEST_P(FailureTest, AnAnswerThatIsNotAllowedNamesTheNode) {
  refuse(first_, {1}, 9);
  start(3);
  EXPECT_EQ(decide(1).message,
            "running \"First\" filter plugin: plugin \"First\" returned verdict 9 for node "
            "\"n1\"; Filter may return SUCCESS, ERROR, UNSCHEDULABLE or "
            "UNSCHEDULABLE_AND_UNRESOLVABLE");
  first_.filter = nullptr;

  score_rows(first_, {1, 2, INT64_MIN + 1});
  start(3);
  EXPECT_EQ(decide().message,
            "running Score plugins: plugin \"First\" failed with: plugin \"First\" wrote no score "
            "for node \"n2\"");
  score_rows(first_, {1, 101, 2});
  start(3);
  EXPECT_EQ(decide().message,
            "running Score plugins: plugin \"First\" failed with: plugin \"First\" returned score "
            "101 for node \"n1\"; Score may return 0 to 100");
}

// The answers are by code; a person knows the nodes that have it.
TEST_P(FailureTest, AnAnswerByCodeThatIsNotAllowedNamesTheNode) {
  first_.score_hook = {.inputs = {"taint_set.keys"}, .space = "node.taints"};
  first_.score = [](const FakeCall& call, size_t code) -> int64_t {
    return call.raw().columns[0].sizes[code] == 0 ? 1 : INT64_MIN + 1;
  };
  start(3);
  model::Node tainted = testing::FakeWorld::node("n1");
  tainted.taints = {{"a", "", "PreferNoSchedule"}};
  world_->cluster().put_node(tainted);
  EXPECT_EQ(decide().message,
            "running Score plugins: plugin \"First\" failed with: plugin \"First\" wrote no score "
            "for node \"n1\"");
}

// The host knows without a call that all raw scores are 0.
TEST_P(FailureTest, AWrongScoreForAllNodesNamesTheFirst) {
  refuse(first_, {0});
  first_.score_hook.prepare = [](const berth_template&) { return int64_t{0}; };
  first_.score_hook.passes = true;
  score_rows(first_, {0, 0, 0});
  first_.normalise = BERTH_NORMALISE_OWN;
  first_.normalise_own = [](int64_t) { return int64_t{101}; };
  start(3);
  EXPECT_EQ(decide().message,
            "running Score plugins: plugin \"First\" failed with: plugin \"First\" normalised "
            "score 0 to 101 for node \"n1\"; Score may return 0 to 100");
}

TEST_P(FailureTest, AFilterThatFailsWithoutATextIsSaidTo) {
  refuse(first_, {1}, BERTH_ERROR);
  start(3);
  EXPECT_EQ(decide(1).message, "running \"First\" filter plugin: it gave no text for its error");
}

// A filter whose answers depend on the other rows of a call: the reference asks about one row.
TEST_P(FailureTest, ACallThatFailsAtNoRowAloneFailsThePod) {
  first_.filter = [](const FakeCall&, size_t) { return uint8_t{BERTH_SUCCESS}; };
  first_.filter_call = [](const FakeCall& call) {
    if (call.raw().count > 1) throw FakeFailure{"too many rows"};
  };
  start(3);
  const Decision made = decide();
  if (GetParam() == Evaluation::kReference) {
    EXPECT_EQ(made.outcome, Outcome::kScheduled);
    return;
  }
  EXPECT_EQ(made.outcome, Outcome::kError);
  EXPECT_EQ(made.message,
            "running \"First\" filter plugin: too many rows; asked about each of these nodes alone "
            "it does not fail: answers must not depend on the other nodes of a call");
}

}  // namespace
}  // namespace berth::framework
