// The parts of the plugin that need no host. Whole runs are in tests/conformance and
// tests/runtime.

#include <gtest/gtest.h>

#include "plugins/default_preemption/args.h"
#include "plugins/default_preemption/candidates.h"
#include "plugins/default_preemption/dry_run.h"
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

size_t best(std::vector<Candidate> candidates) { return best_candidate(candidates).node; }

TEST(BestCandidate, CriteriaInOrder) {
  // Each pair differs in one criterion; later ones would choose the other.
  EXPECT_EQ(best({{0, {pod(0)}, 1}, {1, {pod(9), pod(9)}, 0}}), 1u);
  EXPECT_EQ(best({{0, {pod(5)}, 0}, {1, {pod(4), pod(4), pod(4)}, 0}}), 1u);
  EXPECT_EQ(best({{0, {pod(5), pod(4)}, 0}, {1, {pod(5), pod(3)}, 0}}), 1u);
  EXPECT_EQ(best({{0, {pod(-5), pod(-5)}, 0}, {1, {pod(-5)}, 0}}), 1u);
  EXPECT_EQ(best({{0, {pod(5, 10)}, 0}, {1, {pod(5, 20)}, 0}}), 1u);
  EXPECT_EQ(best({{0, {pod(5, 20)}, 0}, {1, {pod(5, INT64_MAX)}, 0}}), 1u);
  // Only the victims of the highest priority count for the start.
  EXPECT_EQ(best({{0, {pod(5, 20), pod(1, 1)}, 0}, {1, {pod(5, 10), pod(1, 90)}, 0}}), 0u);
  EXPECT_EQ(best({{7, {pod(5, 20)}, 0}, {3, {pod(5, 20)}, 0}}), 7u);
}

Candidate clean(size_t node) { return {node, {pod(0)}, 0}; }
Candidate violating(size_t node) { return {node, {pod(0)}, 1}; }

std::vector<size_t> nodes(CandidateList& list) {
  std::vector<size_t> nodes;
  for (const Candidate& candidate : list.take()) nodes.push_back(candidate.node);
  return nodes;
}

TEST(CandidateList, EndsWithEnoughOfWhichOneViolatesNoBudget) {
  CandidateList list(2);
  EXPECT_EQ(list.missing(), 2u);
  list.add(violating(0));
  EXPECT_EQ(list.missing(), 1u);
  list.add(violating(1));
  EXPECT_FALSE(list.enough());
  EXPECT_EQ(list.missing(), 1u);
  list.add(violating(2));
  EXPECT_FALSE(list.enough());
  list.add(clean(3));
  EXPECT_TRUE(list.enough());
  EXPECT_EQ(nodes(list), (std::vector<size_t>{3, 0, 1}));
}

TEST(CandidateList, OfNoneNothingIsKept) {
  CandidateList list(0);
  list.add(clean(1));
  EXPECT_FALSE(list.enough());
  EXPECT_EQ(nodes(list), std::vector<size_t>{});
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
