#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;
using Ints = std::vector<int64_t>;

constexpr uint32_t kSiblings = 7;  // a term

class SelectorSpreadTest : public ::testing::Test {
 protected:
  void set(std::string_view id, Values values) {
    columns_.insert_or_assign(std::string(id), std::move(values));
  }
  // Nodes with these numbers of siblings, in these zones.
  void nodes(Ints counts, Ids zones) {
    set("node.count:1", std::move(counts));
    set("node.zone", Values::codes(std::move(zones)));
  }
  Ints scores(const Bytes& feasible = {}) {
    EXPECT_EQ(plugin_.pre_score(columns_, feasible), BERTH_SUCCESS);
    return plugin_.score(columns_);
  }

  FakeHost host_;
  Harness plugin_{host_};
  Columns columns_{{"pod.siblings", Ids{kSiblings}}, {"pod.spread_keys", std::vector<Ids>{{}}}};
};

TEST_F(SelectorSpreadTest, CountsPlacedSiblingsOfEachNode) {
  nodes({0}, {0});
  scores();
  using Query = FakeCounts::Query;
  EXPECT_EQ(host_.counts.queries,
            std::vector{(Query{.terms = {kSiblings}, .pods = BERTH_COUNTS_PLACED})});
}

// Without zones a node's score is its distance from the node with the most siblings.
TEST_F(SelectorSpreadTest, ByNode) {
  nodes({0, 1, 2, 3}, {0, 0, 0, 0});
  EXPECT_EQ(scores(), (Ints{100, 66, 33, 0}));
  EXPECT_TRUE(plugin_.changed());
  nodes({5, 5}, {0, 0});
  EXPECT_EQ(scores(), (Ints{0, 0}));
  nodes({2, 1}, {0, 0});  // the maximum over the nodes of this call
  EXPECT_EQ(scores(), (Ints{0, 50}));
  nodes({0, 0}, {0, 0});
  EXPECT_EQ(scores(), (Ints{100, 100}));
}

// The cases of kube-scheduler's own test of zones.
TEST_F(SelectorSpreadTest, ByNodeAndZone) {
  const Ids zones = {1, 2, 2, 3, 3, 3};
  const auto scores_of = [&](Ints counts) {
    nodes(std::move(counts), zones);
    return scores();
  };
  EXPECT_EQ(scores_of({0, 0, 0, 0, 0, 0}), (Ints{100, 100, 100, 100, 100, 100}));
  EXPECT_EQ(scores_of({0, 1, 0, 0, 0, 0}), (Ints{100, 0, 33, 100, 100, 100}));
  EXPECT_EQ(scores_of({0, 1, 1, 0, 1, 0}), (Ints{100, 0, 0, 66, 33, 66}));
  EXPECT_EQ(scores_of({1, 1, 0, 1, 0, 0}), (Ints{0, 0, 33, 0, 33, 33}));
  EXPECT_EQ(scores_of({0, 1, 0, 2, 0, 0}), (Ints{100, 50, 66, 0, 33, 33}));
}

TEST_F(SelectorSpreadTest, NodesWithoutAZoneAreScoredByThemselves) {
  nodes({2, 1, 4, 0}, {1, 1, 0, 0});
  // Pods outside of zones do not count when the busiest zone is determined.
  EXPECT_EQ(scores(), (Ints{16, 25, 0, 100}));
}

TEST_F(SelectorSpreadTest, OnlyFeasibleNodesCount) {
  nodes({1, 2, 9, 0, 7}, {1, 2, 1, 3, 4});
  const Ints found = scores({1, 1, 0, 1, 0});
  EXPECT_EQ(found[0], 50);
  EXPECT_EQ(found[1], 0);
  EXPECT_EQ(found[3], 100);
  // The scores of infeasible nodes are ignored, but must be in range.
  for (const int64_t score : found) EXPECT_TRUE(score >= 0 && score <= 100) << score;
  EXPECT_EQ(scores({1, 1, 1, 1, 1})[1], 79);
}

TEST_F(SelectorSpreadTest, RowsBeyondTheFirstSixtyFour) {
  Ints counts(130, 0);
  counts[129] = 4;
  counts[64] = 1;
  nodes(counts, Ids(130, 0));
  const Ints found = scores();
  EXPECT_EQ(found[129], 0);
  EXPECT_EQ(found[64], 75);
  EXPECT_EQ(found[0], 100);
}

TEST_F(SelectorSpreadTest, WithoutASelectorAllNodesAreEmpty) {
  set("pod.siblings", Ids{0});
  set("node.zone", Values::codes({1, 0, 2}));
  EXPECT_EQ(scores(), (Ints{100, 100, 100}));
  EXPECT_TRUE(host_.counts.queries.empty());
}

TEST_F(SelectorSpreadTest, PodsWithConstraintsOfTheirOwnScoreNothing) {
  set("pod.spread_keys", std::vector<Ids>{{3}});
  nodes({1, 0}, {1, 0});
  EXPECT_EQ(scores(), (Ints{0, 0}));
  EXPECT_TRUE(plugin_.passed());
}

TEST_F(SelectorSpreadTest, PodsOfDifferentSiblingsDoNotMix) {
  nodes({0, 4}, {0, 0});
  set("node.count:2", Ints{9, 1});
  EXPECT_EQ(scores(), (Ints{100, 0}));
  set("pod.siblings", Ids{kSiblings + 1});
  EXPECT_EQ(scores(), (Ints{0, 88}));
  set("pod.siblings", Ids{kSiblings});
  EXPECT_EQ(plugin_.score(columns_), (Ints{100, 0}));
}

// A template with kept scores is told when the totals change, and only then.
TEST_F(SelectorSpreadTest, KeptScoresAreStaleWhenTheTotalsChange) {
  const auto* point = plugin_.table<berth_pre_score>(BERTH_PRE_SCORE);
  const Values keys(std::vector<Ids>{{}}), siblings(Ids{kSiblings});
  const std::vector<berth_column> pod = {siblings.column(), keys.column(), {}, {}};
  const berth_template shown = {sizeof shown, 4, pod.data(), nullptr};
  berth_prepared prepared[2] = {{sizeof(berth_prepared), 0, nullptr, 0, 0, nullptr},
                                {sizeof(berth_prepared), 0, nullptr, 0, 0, nullptr}};
  for (berth_prepared& one : prepared)
    ASSERT_EQ(point->hook->prepare(plugin_.raw(), &shown, &one), BERTH_SUCCESS);
  const auto changed = [&](size_t which, Ints counts, Ids zones, uint64_t feasible) {
    const Values of_zones = Values::codes(std::move(zones)), of_counts(std::move(counts));
    const std::vector<berth_column> columns = {of_zones.column(), of_counts.column()};
    berth_call call{};
    call.size = sizeof call;
    call.count = 1;
    call.columns = columns.data();
    call.column_count = 2;
    call.state = prepared[which].state;
    const berth_feasible set = {sizeof set, 0, &feasible, 3, 3, 1};
    berth_pre_score_result result{};
    EXPECT_EQ(point->pre_score(plugin_.raw(), &call, &set, &result), BERTH_SUCCESS);
    return result.changed != 0;
  };
  EXPECT_TRUE(changed(0, {0, 2, 1}, {0, 1, 2}, 7));
  EXPECT_FALSE(changed(0, {0, 2, 1}, {0, 1, 2}, 7));
  EXPECT_FALSE(changed(0, {2, 2, 1}, {0, 1, 2}, 7));  // changes neither the maximum nor a zone
  EXPECT_TRUE(changed(1, {0, 2, 1}, {0, 1, 2}, 7));   // another template
  EXPECT_TRUE(changed(0, {0, 2, 2}, {0, 1, 2}, 7));   // a zone
  EXPECT_TRUE(changed(1, {0, 2, 2}, {0, 1, 2}, 7));
  EXPECT_TRUE(changed(1, {3, 2, 2}, {0, 1, 2}, 7));  // the maximum
  EXPECT_FALSE(changed(1, {3, 2, 2}, {0, 1, 2}, 7));
  EXPECT_TRUE(changed(1, {3, 2, 2}, {0, 1, 2}, 6));  // one node is not feasible any more
  EXPECT_TRUE(changed(1, {2, 2, 2}, {0, 1, 3}, 7));  // a new zone
  for (berth_prepared& one : prepared) point->hook->release(plugin_.raw(), one.state);
}

TEST_F(SelectorSpreadTest, NeedsPreScore) {
  nodes({0, 4}, {0, 0});
  try {
    plugin_.score(columns_, 0);
    FAIL() << "scored";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "reading \"PreScoreSelectorSpread\" from cycleState: not found");
  }
}

TEST_F(SelectorSpreadTest, ScoresAreFinalAndFollowTheFeasibleNodes) {
  const auto* score = plugin_.table<berth_score>(BERTH_SCORE);
  EXPECT_EQ(score->normalise, BERTH_NORMALISE_NONE);
  EXPECT_EQ(score->hook->depends, BERTH_DEPENDS_FEASIBLE);
  EXPECT_EQ(plugin_.table<berth_pre_score>(BERTH_PRE_SCORE)->hook->depends, BERTH_DEPENDS_FEASIBLE);
  EXPECT_EQ(Harness::validate("{}"), std::vector<std::string>{"takes no arguments"});
}

}  // namespace
}  // namespace berth::plugins::testing
