// The parts of the plugin that need no host. Whole runs are in tests/conformance and
// tests/runtime.

#include <gtest/gtest.h>

#include <utility>

#include "plugins/default_preemption/args.h"
#include "plugins/default_preemption/budgets.h"
#include "plugins/default_preemption/candidates.h"
#include "plugins/default_preemption/kept_runs.h"
#include "plugins/default_preemption/potential.h"
#include "plugins/testing/harness.h"

namespace berth::plugins {
namespace {

PlacedPod pod(int64_t priority, int64_t started_at = 0, size_t position = 0) {
  return {position, position + 1, priority, started_at};
}

TEST(DefaultPreemptionArgs, CandidatesAreAShareOrANumberOfThePotentialNodes) {
  const DefaultPreemptionArgs defaults;
  EXPECT_EQ(defaults.candidates(0), 0u);
  EXPECT_EQ(defaults.candidates(60), 60u);
  EXPECT_EQ(defaults.candidates(500), 100u);
  EXPECT_EQ(defaults.candidates(5'000), 500u);
  EXPECT_EQ((DefaultPreemptionArgs{10, 2}.candidates(19)), 2u);
  EXPECT_EQ((DefaultPreemptionArgs{10, 2}.candidates(39)), 3u);
  EXPECT_EQ((DefaultPreemptionArgs{10, 0}.candidates(9)), 0u);
}

TEST(DefaultPreemptionArgs, AreValidated) {
  const auto errors = [](const char* args) { return testing::Harness::validate(args); };
  EXPECT_TRUE(errors("{}").empty());
  EXPECT_TRUE(errors(R"({"minCandidateNodesPercentage": 0})").empty());
  EXPECT_TRUE(errors(R"({"minCandidateNodesAbsolute": 0})").empty());
  EXPECT_EQ(errors(R"({"minCandidateNodesPercentage": 101})"),
            (std::vector<std::string>{
                "minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]"}));
  EXPECT_EQ(errors(R"({"minCandidateNodesAbsolute": -1})"),
            (std::vector<std::string>{
                "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)"}));
  EXPECT_EQ(errors(R"({"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0})").size(),
            2u);
  EXPECT_EQ(errors(R"({"minCandidateNodes": 3})").size(), 1u);
}

TEST(Importance, PriorityThenAge) {
  EXPECT_TRUE(more_important(pod(2, 9), pod(1, 0)));
  EXPECT_FALSE(more_important(pod(1, 0), pod(2, 9)));
  EXPECT_TRUE(more_important(pod(1, 3), pod(1, 4)));
  EXPECT_TRUE(more_important(pod(1, 3), pod(1, INT64_MAX)));
  EXPECT_FALSE(more_important(pod(1, 3), pod(1, 3)));
}

std::vector<size_t> ordered(std::vector<PlacedPod> pods) {
  order_by_importance(pods);
  std::vector<size_t> positions;
  for (const PlacedPod& one : pods) positions.push_back(one.position);
  return positions;
}

TEST(Importance, OfPodsThatDidNotStartTheLastComesFirst) {
  EXPECT_EQ(ordered({}), (std::vector<size_t>{}));
  EXPECT_EQ(ordered({pod(1, kNotStarted, 0), pod(1, kNotStarted, 1), pod(1, kNotStarted, 2)}),
            (std::vector<size_t>{2, 1, 0}));
  // Behind those that started, which keep their order if they started together.
  EXPECT_EQ(ordered({pod(1, kNotStarted, 0), pod(1, 7, 1), pod(1, kNotStarted, 2), pod(1, 7, 3),
                     pod(1, 6, 4)}),
            (std::vector<size_t>{4, 1, 3, 2, 0}));
  // Priority counts first.
  EXPECT_EQ(ordered({pod(1, kNotStarted, 0), pod(2, kNotStarted, 1), pod(1, kNotStarted, 2),
                     pod(2, kNotStarted, 3), pod(1, 5, 4)}),
            (std::vector<size_t>{3, 1, 4, 2, 0}));
}

TEST(PotentialNodes, AreThoseThatEvictionsMayHelp) {
  constexpr int64_t kPriority = 5, kNone = INT64_MAX;  // no pods
  std::vector<uint8_t> codes;
  std::vector<int64_t> lowest;
  const auto potential = [&] { return potential_nodes(codes, lowest, kPriority); };
  EXPECT_FALSE(potential().can_help());
  for (int i = 0; i < 100; ++i)
    for (const int64_t of_node : {kPriority, kPriority + 1, kNone}) {
      codes.push_back(BERTH_UNSCHEDULABLE);
      lowest.push_back(of_node);
    }
  EXPECT_EQ(potential().count, 300u);
  EXPECT_FALSE(potential().can_help());
  codes.push_back(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  lowest.push_back(kPriority - 1);
  EXPECT_EQ(potential().count, 300u);
  EXPECT_FALSE(potential().can_help());
  for (const size_t node : {7u, 128u, 299u}) {
    const int64_t before = std::exchange(lowest[node], kPriority - 1);
    EXPECT_EQ(potential().without_victims, 299u) << node;
    EXPECT_TRUE(potential().can_help()) << node;
    lowest[node] = before;
  }
}

Candidate candidate(size_t node, std::vector<PlacedPod> victims, int64_t violations = 0) {
  Candidate made{node, std::move(victims), {}};
  made.weigh(violations);
  return made;
}

size_t best(const Candidate& a, const Candidate& b) {
  const std::vector<const Candidate*> both = {&a, &b};
  return best_candidate(both).node;
}

TEST(BestCandidate, CriteriaInOrder) {
  // Each pair differs in one criterion; later ones would choose the other.
  EXPECT_EQ(best(candidate(0, {pod(0)}, 1), candidate(1, {pod(9), pod(9)})), 1u);
  EXPECT_EQ(best(candidate(0, {pod(5)}), candidate(1, {pod(4), pod(4), pod(4)})), 1u);
  EXPECT_EQ(best(candidate(0, {pod(5), pod(4)}), candidate(1, {pod(5), pod(3)})), 1u);
  EXPECT_EQ(best(candidate(0, {pod(-5), pod(-5)}), candidate(1, {pod(-5)})), 1u);
  EXPECT_EQ(best(candidate(0, {pod(5, 10)}), candidate(1, {pod(5, 20)})), 1u);
  EXPECT_EQ(best(candidate(0, {pod(5, 20)}), candidate(1, {pod(5, INT64_MAX)})), 1u);
  // Only the victims of the highest priority count for the start.
  EXPECT_EQ(best(candidate(0, {pod(5, 20), pod(1, 1)}), candidate(1, {pod(5, 10), pod(1, 90)})),
            0u);
  EXPECT_EQ(best(candidate(7, {pod(5, 20)}), candidate(3, {pod(5, 20)})), 7u);
}

const Candidate kClean[] = {candidate(0, {pod(0)}), candidate(1, {pod(0)}), candidate(2, {pod(0)}),
                            candidate(3, {pod(0)})};
const Candidate kViolating[] = {candidate(0, {pod(0)}, 1), candidate(1, {pod(0)}, 1),
                                candidate(2, {pod(0)}, 1)};

std::vector<size_t> nodes(CandidateList& list) {
  std::vector<size_t> nodes;
  for (const Candidate* one : list.take()) nodes.push_back(one->node);
  return nodes;
}

TEST(CandidateList, EndsWithEnoughOfWhichOneViolatesNoBudget) {
  CandidateList list(2);
  EXPECT_EQ(list.missing(), 2u);
  list.add(kViolating[0]);
  EXPECT_EQ(list.missing(), 1u);
  list.add(kViolating[1]);
  EXPECT_FALSE(list.enough());
  EXPECT_EQ(list.missing(), 1u);
  list.add(kViolating[2]);
  EXPECT_FALSE(list.enough());
  list.add(kClean[3]);
  EXPECT_TRUE(list.enough());
  EXPECT_EQ(nodes(list), (std::vector<size_t>{3, 0, 1}));
}

TEST(CandidateList, OfNoneNothingIsKept) {
  CandidateList list(0);
  list.add(kClean[1]);
  EXPECT_FALSE(list.enough());
  EXPECT_EQ(nodes(list), std::vector<size_t>{});
}

class KeptRunsTest : public ::testing::Test {
 protected:
  // True for rows whose run of an earlier preemption holds; all rows are tried.
  std::vector<bool> preempt(uint64_t kind, std::vector<uint64_t> stamps, uint64_t budgets = 1) {
    runs_.begin({sizeof(berth_what_if_kept), 0, kind, stamps.data(), stamps.size()}, budgets,
                stamps.size());
    std::vector<bool> held;
    for (uint32_t row = 0; row < stamps.size(); ++row) {
      held.push_back(runs_.holds(row));
      runs_.keep(row);
      EXPECT_TRUE(runs_.holds(row));
    }
    return held;
  }
  using Held = std::vector<bool>;

  KeptRuns runs_;
};

TEST_F(KeptRunsTest, ARunHoldsAsLongAsItsKindHasTheSameStamp) {
  EXPECT_EQ(preempt(1, {5, 5, 5}), (Held{false, false, false}));
  EXPECT_EQ(preempt(1, {5, 6, 5}), (Held{true, false, true}));
  EXPECT_EQ(preempt(2, {5, 6, 5}), (Held{false, false, false}));
  EXPECT_EQ(preempt(1, {5, 6, 7, 7}), (Held{true, true, false, false}));
}

TEST_F(KeptRunsTest, NothingHoldsForPodsThatAreOfNoKindOrWithOtherBudgets) {
  preempt(0, {5, 5});
  EXPECT_EQ(preempt(0, {5, 5}), (Held{false, false}));
  preempt(1, {5, 5});
  EXPECT_EQ(preempt(1, {5, 5}, 2), (Held{false, false}));
  EXPECT_EQ(preempt(1, {5, 5}, 2), (Held{true, true}));
}

TEST_F(KeptRunsTest, KindsThatWereNotUsedForLongAreDropped) {
  for (uint64_t kind = 1; kind <= 100; ++kind) {
    preempt(kind, {5});
    EXPECT_EQ(preempt(1, {5}), Held{true});
  }
  EXPECT_EQ(preempt(2, {5}), Held{false});
  EXPECT_EQ(preempt(100, {5}), Held{true});
}

// The budgets of five pods, by position.
class TakeViolating : public ::testing::Test {
 protected:
  std::vector<size_t> violating(std::vector<int64_t> allowed, std::vector<PlacedPod> pods) {
    berth_column column{};
    column.type = BERTH_U32;
    column.data = elements_.data();
    column.starts = starts_.data();
    column.sizes = sizes_.data();
    column.count = sizes_.size();
    left_ = std::move(pods);
    std::vector<size_t> positions;
    for (const PlacedPod& one : take_violating(left_, sdk::Lists<uint32_t>(column), allowed))
      positions.push_back(one.position);
    return positions;
  }

  const std::vector<uint32_t> elements_ = {0, 0, 0, 1, 1};
  const std::vector<uint32_t> starts_ = {0, 1, 2, 4, 5}, sizes_ = {1, 1, 2, 1, 0};
  std::vector<PlacedPod> left_;
};

TEST_F(TakeViolating, EachEvictionTakesFromEveryBudgetOfThePod) {
  const std::vector<PlacedPod> all = {pod(9, 0, 0), pod(8, 0, 1), pod(7, 0, 2), pod(6, 0, 3),
                                      pod(5, 0, 4)};
  EXPECT_EQ(violating({3, 2}, all), (std::vector<size_t>{}));
  EXPECT_EQ(left_.size(), 5u);
  EXPECT_EQ(violating({1, 5}, all), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(left_.size(), 3u);
  // A pod that violates one budget still counts for its others.
  EXPECT_EQ(violating({2, 1}, all), (std::vector<size_t>{2, 3}));
  EXPECT_EQ(violating({0, 0}, all), (std::vector<size_t>{0, 1, 2, 3}));
  // The order of the pods is that of the evictions.
  EXPECT_EQ(violating({1, 9}, {pod(9, 0, 1), pod(8, 0, 0)}), (std::vector<size_t>{0}));
}

}  // namespace
}  // namespace berth::plugins
