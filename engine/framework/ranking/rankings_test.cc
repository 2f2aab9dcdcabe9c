// Rankings ask plugins about changed rows alone, and decide as an evaluation that keeps nothing.

#include <gtest/gtest.h>

#include <set>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/ranking/ranking_evaluator.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakeFailure;
using testing::FakePlugin;
using testing::FakeWorld;

class RankingsTest : public ::testing::Test {
 protected:
  // A plugin whose filter refuses nodes with `full` pods or more, and whose score is the number of
  // pods that fit besides; both count the positions of their calls.
  void start(uint32_t nodes, int64_t full = 2, uint32_t ranking_from = 1,
             int32_t percentage = 100) {
    plugin_.filter_hook = {.inputs = {"node.pods", "pod.priority"}};
    plugin_.score_hook = {.inputs = {"node.pods"}};
    begin(nodes, full, ranking_from, percentage);
  }
  // The same with other inputs.
  void start_with(uint32_t nodes, std::vector<std::string> filter, std::vector<std::string> score) {
    plugin_.filter_hook = {.inputs = std::move(filter)};
    plugin_.score_hook = {.inputs = std::move(score)};
    begin(nodes, 2, 1, 100);
  }
  void begin(uint32_t nodes, int64_t full, uint32_t ranking_from, int32_t percentage) {
    stop();
    world_.emplace(nodes);
    plugin_.filter = [this, full](const FakeCall& call, size_t i) {
      ++filtered_;
      return call.at<int64_t>(0, i) >= full ? uint8_t{BERTH_UNSCHEDULABLE} : uint8_t{BERTH_SUCCESS};
    };
    plugin_.score = [this](const FakeCall& call, size_t i) {
      ++scored_;
      return 50 - call.at<int64_t>(0, i);
    };
    profile_ = world_->profile({&plugin_});
    FullOptions options;
    options.ranking_from = ranking_from;
    options.ranking_bytes = memory_;
    evaluator_ =
        make_evaluator(Evaluation::kIncremental, world_->cluster(), world_->calls(), options);
    decider_.emplace(world_->cluster(), *evaluator_, world_->calls(),
                     DecideOptions{.percentage_of_nodes_to_score = percentage});
  }
  void stop() {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }
  ~RankingsTest() override { stop(); }

  // Decides about a pod, and places it where it goes. The names of the pods of one kind differ, and
  // nothing else.
  Decision schedule(int kind = 0) {
    model::Cluster& cluster = world_->cluster();
    model::Pod made = FakeWorld::pod("p" + std::to_string(pods_));
    made.spec.priority = kind;
    const model::PodRecord& pod = world_->add(made);
    cluster.set_queue_time(pod.id, pods_, pods_);
    ++pods_;
    cluster.order_rows();
    filtered_ = scored_ = 0;
    Decision decision = decider_->decide(*profile_, {.pod = &cluster.pod(pod.id), .start = start_});
    start_ = decision.next_start;
    if (decision.outcome == Outcome::kScheduled) cluster.place(pod.id, decision.row);
    return decision;
  }

  // Another scheduler places a pod.
  void place_on(model::Row row) {
    const model::PodRecord& pod = world_->add(FakeWorld::pod("other" + std::to_string(pods_++)));
    world_->cluster().place(pod.id, row);
  }

  std::optional<FakeWorld> world_;
  FakePlugin plugin_{"Counting"};
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Decider> decider_;
  size_t memory_ = FullOptions{}.ranking_bytes;
  uint64_t pods_ = 0;
  model::Row start_ = 0;
  size_t filtered_ = 0, scored_ = 0;
};

TEST_F(RankingsTest, ADecisionAsksAboutTheRowsThatChanged) {
  start(500);
  schedule();
  EXPECT_EQ(filtered_, 500u);
  EXPECT_EQ(scored_, 500u);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(schedule().outcome, Outcome::kScheduled);
    EXPECT_EQ(filtered_, 1u);
    EXPECT_EQ(scored_, 1u);
  }
}

// Ten searches go around the cluster, each of which places a pod among rows of its own. A node of
// which a search does not know that it has a pod would be taken again.
TEST_F(RankingsTest, ChangedRowsAreLeftUntilASearchComesToThem) {
  start(2'000, 2, 1, 10);
  std::set<model::Row> taken;
  const auto take = [&] { EXPECT_TRUE(taken.insert(schedule().row).second); };
  for (int i = 0; i < 3; ++i) take();
  int asked = 0;
  for (int i = 3; i < 2'000; ++i) {
    take();
    asked += filtered_ + scored_ != 0;
    EXPECT_LE(filtered_, 10u);
    EXPECT_EQ(filtered_, scored_);
  }
  EXPECT_EQ(asked, 200);
}

// The row at which a search stops tells where it stops.
TEST_F(RankingsTest, ASearchThatStopsAtALeftRowAsksAboutIt) {
  start(2'000, 1, 1, 10);
  start_ = 1'000;
  for (int i = 0; i < 3; ++i) schedule();
  start_ = 400;
  const Decision first = schedule();  // its node is full now
  start_ = first.row - 200;
  const Decision second = schedule();
  EXPECT_EQ(second.next_start, first.row + 1);
}

// Behind the last row, that is the first one.
TEST_F(RankingsTest, ASearchThatStopsBehindTheLastRowAsksAboutTheFirst) {
  start(2'000, 1, 1, 10);
  start_ = 1'000;
  for (int i = 0; i < 3; ++i) schedule();
  place_on(0);
  start_ = 1'800;
  const Decision decision = schedule();
  EXPECT_EQ(decision.feasible, 200u);
  EXPECT_EQ(decision.evaluated, 201u);
  EXPECT_EQ(decision.next_start, 1u);
}

// Without scores a search takes the first row that fits, and goes around row by row.
TEST_F(RankingsTest, FewRowsAreLeftWhereSearchesTakeOneRow) {
  start(1'000, 1);
  plugin_.score = nullptr;
  profile_ = world_->profile({&plugin_});
  size_t asked = 0;
  for (model::Row i = 0; i < 1'000; ++i) {
    EXPECT_EQ(schedule().row, i);
    asked += filtered_;
  }
  EXPECT_LE(asked, 4'000u);
  EXPECT_EQ(schedule().outcome, Outcome::kUnschedulable);
}

// A row whose filter failed is asked about again when it changes, as any other row.
TEST_F(RankingsTest, AfterAnErrorRowsAreLeftAgain) {
  start(2'000, 100, 1, 10);
  for (int i = 0; i < 12; ++i) schedule();
  const auto counts = plugin_.filter;
  bool fails = true;
  plugin_.filter = [&, counts](const FakeCall& call, size_t i) -> uint8_t {
    if (fails && call.at<int64_t>(0, i) == 1) throw FakeFailure{"out of order"};
    return counts(call, i);
  };
  int failed = 0;
  for (int i = 0; i < 12; ++i) failed += schedule().outcome == Outcome::kError;
  EXPECT_NE(failed, 0);
  fails = false;
  for (model::Row row = 0; row < 2'000; ++row)
    if (!world_->cluster().pods_on("n" + std::to_string(row)).empty()) place_on(row);
  schedule();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(schedule().outcome, Outcome::kScheduled);
    EXPECT_LE(filtered_, 64u);
  }
}

TEST_F(RankingsTest, WhereKindsComeAgainTheFirstDecisionMakesTheRanking) {
  start(500, 2, 2);
  for (int turn = 0; turn < 2; ++turn)
    for (int kind = 0; kind < 10; ++kind) schedule(kind);
  EXPECT_EQ(evaluator_->rankings().count, 10u);
  schedule(10);
  EXPECT_EQ(filtered_, 500u);
  EXPECT_EQ(evaluator_->rankings().count, 11u);
  schedule(10);
  EXPECT_LE(filtered_, 2u);
}

// The first ones are made at once, since nobody knows.
TEST_F(RankingsTest, WhereKindsDoNotComeAgainFewRankingsAreMade) {
  start(70, 20, 2);
  for (int kind = 0; kind < 300; ++kind) schedule(kind);
  const size_t first = evaluator_->rankings().count;
  EXPECT_GE(first, 100u);
  for (int kind = 300; kind < 1'000; ++kind) schedule(kind);
  EXPECT_EQ(evaluator_->rankings().count, first);
  for (int turn = 0; turn < 2; ++turn)
    for (int kind = 1'000; kind < 1'100; ++kind) schedule(kind);
  const size_t again = evaluator_->rankings().count;
  EXPECT_EQ(again, first + 100);
  schedule(1'100);
  EXPECT_EQ(evaluator_->rankings().count, again + 1);
}

// More than the limit evicts down to three quarters of it.
TEST_F(RankingsTest, TheKindsThatWereNotUsedForLongestAreEvicted) {
  const auto use_four_kinds = [&] {
    for (const int kind : {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 3, 3, 3}) schedule(kind);
  };
  start(500);
  use_four_kinds();
  EXPECT_EQ(evaluator_->rankings().count, 4u);
  EXPECT_EQ(evaluator_->rankings().evicted, 0u);
  memory_ = evaluator_->rankings().bytes - 1;
  start(500);
  use_four_kinds();
  const KeptRankings kept = evaluator_->rankings();
  EXPECT_EQ(kept.limit, memory_);
  EXPECT_LE(kept.bytes, memory_ / 4 * 3);
  EXPECT_GE(kept.evicted, 1u);
  EXPECT_EQ(kept.count, 4 - kept.evicted);
  EXPECT_EQ(kept.for_memory, kept.evicted);
  for (const int kept_kind : {0, 3}) {
    schedule(kept_kind);
    EXPECT_LE(filtered_, 20u) << kept_kind;
  }
  schedule(1);
  EXPECT_EQ(filtered_, 500u);
}

// The filter sees pods of all kinds alike, the score does not.
TEST_F(RankingsTest, ManyScoresOfTheSameVerdictsAreKeptIfTheyComeAgain) {
  constexpr int kKinds = 100;
  start_with(500, {"node.pods"}, {"node.pods", "pod.priority"});
  for (int turn = 0; turn < 8; ++turn)
    for (int kind = 0; kind < kKinds; ++kind) schedule(kind);
  EXPECT_EQ(evaluator_->rankings().count, 1u);
  for (int kind = 0; kind < kKinds; ++kind) {
    schedule(kind);
    EXPECT_LE(scored_, 2u * kKinds) << kind;
  }
}

// As long as no kind comes again, few totals are kept, and their memory is used again.
TEST_F(RankingsTest, FewScoresAreKeptIfNoneComesAgain) {
  start_with(500, {"node.pods"}, {"node.pods", "pod.priority"});
  for (int kind = 0; kind < 20; ++kind) schedule(kind);
  const size_t bytes = evaluator_->rankings().bytes;
  for (int kind = 20; kind < 200; ++kind) schedule(kind);
  EXPECT_LE(evaluator_->rankings().bytes, bytes * 3 / 2);
}

TEST_F(RankingsTest, AKindThatDoesNotComeForLongIsEvicted) {
  start(4, 20'000);
  schedule(1);
  for (int pod = 0; pod < 8'000; ++pod) schedule();
  EXPECT_EQ(evaluator_->rankings().evicted, 0u);
  for (int pod = 0; pod < 2'000; ++pod) schedule();
  EXPECT_EQ(evaluator_->rankings().evicted, 1u);
  EXPECT_EQ(evaluator_->rankings().for_memory, 0u);
  EXPECT_EQ(evaluator_->rankings().count, 1u);
}

TEST_F(RankingsTest, EveryNodeFillsUpAndNoneIsTakenTwiceBeforeAllAreTakenOnce) {
  start(70);
  for (int round = 0; round < 2; ++round) {
    std::set<model::Row> taken;
    for (int i = 0; i < 70; ++i) taken.insert(schedule().row);
    EXPECT_EQ(taken.size(), 70u);
  }
  const Decision refused = schedule();
  EXPECT_EQ(refused.outcome, Outcome::kUnschedulable);
  EXPECT_EQ(refused.evaluated, 70u);
}

TEST_F(RankingsTest, ANewNodeIsAskedAlone) {
  start(130);
  schedule();
  world_->cluster().put_node(FakeWorld::node("n130"));
  schedule();
  EXPECT_LE(filtered_, 2u);
  for (int i = 0; i < 129; ++i) schedule();
  world_->cluster().order_rows();
  EXPECT_EQ(world_->cluster().pods_on("n130").size(), 1u);
}

// Without a filter there is nobody to be asked about the new row, which is feasible nevertheless.
TEST_F(RankingsTest, ANewNodeIsFeasibleWhereNoFilterIsCalled) {
  start(130);
  plugin_.filter = nullptr;
  profile_ = world_->profile({&plugin_});
  EXPECT_EQ(schedule().feasible, 130u);
  world_->cluster().put_node(FakeWorld::node("n130"));
  EXPECT_EQ(schedule().feasible, 131u);
}

TEST_F(RankingsTest, ARemovedNodeIsNotTaken) {
  start(130);
  schedule();
  world_->cluster().remove_node("n7");
  for (int i = 0; i < 129; ++i) {
    ASSERT_EQ(schedule().outcome, Outcome::kScheduled);
    EXPECT_NE(decider_->search_result().pieces.back().second, 130u);
  }
  EXPECT_TRUE(world_->cluster().pods_on("n7").size() <= 1);
}

// Zones take turns in the search order, so that the nodes of one zone behind a node that comes or
// goes all have another row.
model::Node node_in(int zone, const std::string& name) {
  model::Node node = FakeWorld::node(name);
  node.labels.emplace_back("topology.kubernetes.io/zone", std::to_string(zone));
  return node;
}

TEST_F(RankingsTest, NobodyIsAskedAboutNodesThatHaveAnotherRow) {
  start(0);
  model::Cluster& cluster = world_->cluster();
  for (int i = 0; i < 300; ++i) cluster.put_node(node_in(i % 3, "m" + std::to_string(i)));
  schedule();
  EXPECT_EQ(filtered_, 300u);
  std::set<std::string> taken;
  const auto take_one = [&] {
    const Decision decision = schedule();
    ASSERT_EQ(decision.outcome, Outcome::kScheduled);
    EXPECT_LE(filtered_, 3u);
    EXPECT_LE(scored_, 3u);
    EXPECT_EQ(decision.evaluated, cluster.nodes().rows());
    EXPECT_TRUE(taken.emplace(cluster.node_name(decision.row)).second);
  };
  for (int i = 0; i < 40; ++i) {
    cluster.remove_node("m" + std::to_string(7 * i));
    take_one();
    cluster.put_node(node_in(i % 4, "new" + std::to_string(i)));
    take_one();
  }
}

// A place in the order is an input as any other.
TEST_F(RankingsTest, WhoReadsRowNumbersIsAskedAgain) {
  start(0);
  plugin_.score_hook.inputs = {"node.row"};
  plugin_.score = [this](const FakeCall& call, size_t i) {
    ++scored_;
    return int64_t{call.at<uint32_t>(0, i) == 5 ? 100 : 0};
  };
  profile_ = world_->profile({&plugin_});
  for (int i = 0; i < 90; ++i) world_->cluster().put_node(node_in(i % 3, "m" + std::to_string(i)));
  EXPECT_EQ(schedule().row, 5u);
  world_->cluster().remove_node("m1");
  EXPECT_EQ(schedule().row, 5u);
  EXPECT_EQ(scored_, 89u);
}

// While a filter answers ERROR for some row, the search asks row by row; afterwards the ranking
// goes on.
TEST_F(RankingsTest, AnErrorHasItsTextAndPasses) {
  start(40);
  schedule();
  const auto counts = plugin_.filter;
  bool fails = true;
  plugin_.filter = [&, counts](const FakeCall& call, size_t i) -> uint8_t {
    if (fails && call.at<int64_t>(0, i) == 1) throw FakeFailure{"out of order"};
    return counts(call, i);
  };
  const Decision failed = schedule();
  EXPECT_EQ(failed.outcome, Outcome::kError);
  EXPECT_NE(failed.message.find("out of order"), std::string::npos);
  fails = false;
  world_->cluster().put_node(FakeWorld::node("n40"));  // so that all is asked again
  world_->cluster().remove_node("n3");
  EXPECT_EQ(schedule().outcome, Outcome::kScheduled);
}

// Normalised scores: the extremes are those of the feasible rows.
TEST_F(RankingsTest, ExtremesFollowTheFeasibleRows) {
  plugin_.normalise = BERTH_NORMALISE_MAX;
  start(90, 3);
  for (int i = 0; i < 270; ++i) {
    ASSERT_EQ(schedule().outcome, Outcome::kScheduled);
    const Decision& last = decider_->decide(
        *profile_,
        {.pod = &world_->cluster().pod(world_->add(FakeWorld::pod("q" + std::to_string(i))).id)});
    if (!last.scored) continue;
    const SearchResult& found = decider_->search_result();
    int64_t highest = 0;
    for (model::Row row = 0; row < 90; ++row)
      if (found.refuser[row] == kFeasible)
        highest = std::max(highest, decider_->scores()[0].final(row));
    EXPECT_EQ(highest, 100);
  }
}

// A search of some rows has extremes of its own: here each node has another raw score, so that no
// two searches have the same ones, and the best node of a search has the score 100.
TEST_F(RankingsTest, ExtremesFollowTheSearchedRows) {
  plugin_.normalise = BERTH_NORMALISE_MAX;
  start(1'100, 100, 1, 10);
  plugin_.score_hook.inputs = {"node.row", "node.pods"};
  plugin_.score = [](const FakeCall& call, size_t i) {
    return int64_t{call.at<uint32_t>(0, i)} + 100 - call.at<int64_t>(1, i);
  };
  profile_ = world_->profile({&plugin_});
  for (int i = 0; i < 100; ++i) {
    const Decision decision = schedule();
    ASSERT_TRUE(decision.scored);
    const SearchResult& found = decider_->search_result();
    const HookScores scores = decider_->scores()[0];
    int64_t highest = 0;
    found.for_each_row([&](model::Row row) { highest = std::max(highest, scores.raw(row)); });
    EXPECT_EQ(scores.raw(decision.row), highest);
    EXPECT_EQ(scores.final(decision.row), 100);
    EXPECT_EQ(found.total(decision.row), 100 * profile_->score[0].weight);
    found.for_each_row([&](model::Row row) {
      EXPECT_EQ(scores.final(row), 100 * scores.raw(row) / highest);
      EXPECT_EQ(found.total(row), scores.final(row) * profile_->score[0].weight);
    });
  }
}

}  // namespace
}  // namespace berth::framework
