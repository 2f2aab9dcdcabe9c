// Which of several best rows is taken, and the nodes that a batch hands on.

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "engine/framework/batches/batch.h"
#include "engine/framework/testing/decide_fixture.h"

namespace berth::framework {
namespace {

using testing::DecideTest;
using testing::FakeCall;
using testing::FakeWorld;

class DecideTiesTest : public DecideTest {};

INSTANTIATE_TEST_SUITE_P(Evaluations, DecideTiesTest,
                         ::testing::Values(Evaluation::kReference, Evaluation::kFull,
                                           Evaluation::kIncremental));

// Positions in the heap, from row 4 on, without row 6: 4 5 7 8 9 0 1 2 3. The best are at 2, 4
// and 7.
TEST_P(DecideTiesTest, TiesByHeapTakeTheFirstInPreOrder) {
  score_rows(first_, {1, 1, 5, 1, 1, 1, 5, 5, 1, 5});
  refuse(first_, {6});
  start(10, {.tie_break = TieBreak::kHeap});
  const Decision made = decide(4);
  EXPECT_EQ(made.row, 2u);  // position 7, below 3 and 1
  EXPECT_EQ(made.draw, 0u);
}

// An extender that passes all rows, in reverse, and scores some with 0.
class ReversingExtender final : public Extenders {
 public:
  bool filters() const override { return true; }
  bool prioritizes() const override { return true; }
  bool preempts() const override { return false; }
  bool binds() const override { return false; }
  bool scores_all(const model::PodRecord&) const override { return all; }
  ExtenderFilter filter(const model::PodRecord&, std::vector<model::Row> rows) override {
    ExtenderFilter answer;
    answer.rows.assign(rows.rbegin(), rows.rend());
    return answer;
  }
  std::vector<ExtenderScores> prioritize(const model::PodRecord&,
                                         const std::vector<model::Row>&) override {
    ExtenderScores scores{"extender", {}};
    for (const model::Row row : scored) scores.weighted.emplace_back(row, 0);
    return {scores};
  }
  ExtenderPreemption preempt(const model::PodRecord&, std::vector<ExtenderVictims>) override {
    return {};
  }
  ExtenderBinding bind(const model::PodRecord&, std::string_view) override { return {}; }

  std::vector<model::Row> scored;
  bool all = false;
};

TEST_P(DecideTiesTest, TiesByHeapAreDrawnAmongRowsThatExtendersScored) {
  ReversingExtender extender;
  score_rows(first_, {5, 1, 5, 5, 5, 1});
  start(6, {.extenders = &extender, .tie_break = TieBreak::kHeap});
  const auto rows = [&] {
    std::set<model::Row> all;
    for (uint64_t arrival = 0; arrival < 64; ++arrival)
      all.insert(decide(FakeWorld::pod("p"), 0, arrival).row);
    return all;
  };
  EXPECT_EQ(rows(), std::set<model::Row>{4});  // at 1 of 5 4 3 2 1 0
  extender.scored = {5, 0, 3};
  EXPECT_EQ(rows(), (std::set<model::Row>{0, 3}));
  extender.all = true;
  EXPECT_EQ(rows(), (std::set<model::Row>{0, 2, 3, 4}));
}

// Row 1 got the pod before; the best of the others is row 3.
TEST_P(DecideTiesTest, AHintIsTriedWhereTheLastNodeRefuses) {
  score_rows(first_, {1, 9, 2, 3});
  std::set<uint32_t> refused;
  first_.filter = [&](const FakeCall& call, size_t i) {
    return refused.contains(row(call, i)) ? uint8_t{BERTH_UNSCHEDULABLE} : uint8_t{BERTH_SUCCESS};
  };
  first_.filter_hook.depends = BERTH_DEPENDS_EXTERNAL;
  start(4, {.tie_break = TieBreak::kHeap});
  Batch batch(world_->cluster(), TieBreak::kHeap);
  world_->cluster().order_rows();
  batch.decided({"a", 1, Time{}}, 1, 0, std::vector<ScoredRow>{{0, 1}, {1, 9}, {2, 2}, {3, 3}});
  record_ = world_->cluster().record_of(FakeWorld::pod("p"));
  const auto made = [&] {
    return decider_->decide(*profile_, {.pod = &record_, .start = 2, .batch = &batch});
  };
  EXPECT_EQ(made().row, 1u);  // it takes the pod: searched and scored
  EXPECT_EQ(made().hint, 0u);
  refused = {1};
  EXPECT_EQ(made().row, 3u);
  EXPECT_EQ(made().evaluated, 1u);
  EXPECT_EQ(made().next_start, 2u);
  EXPECT_FALSE(made().scored);
  EXPECT_NE(made().hint, 0u);
  refused = {1, 3};  // the hint, too: searched again
  EXPECT_EQ(made().row, 2u);
  EXPECT_TRUE(made().scored);
  EXPECT_EQ(made().evaluated, 4u);
}

TEST_P(DecideTiesTest, ScoresAreKeptInTheOrderOfTheSearch) {
  score_rows(first_, {4, 3, 2, 1});
  refuse(first_, {3});
  start(4);
  record_ = world_->cluster().record_of(FakeWorld::pod("p"));
  const Request request{.pod = &record_, .start = 2, .keeps_scores = true};
  decider_->decide(*profile_, request);
  std::vector<std::pair<model::Row, int64_t>> kept;
  for (const ScoredRow& one : decider_->scored_rows()) kept.emplace_back(one.row, one.total);
  EXPECT_EQ(kept, (std::vector<std::pair<model::Row, int64_t>>{{2, 2}, {0, 4}, {1, 3}}));
}

}  // namespace
}  // namespace berth::framework
