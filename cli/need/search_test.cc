#include "cli/need/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace berth::cli {
namespace {

using testing::ElementsAre;

// Places pods one by one on the node with the most room, as a scheduler spreads them: sets of nodes
// that would do if pods were packed may not do here.
class Spreading {
 public:
  Spreading(std::vector<Offer> offers, std::vector<Demand> demands)
      : offers_(std::move(offers)), demands_(std::move(demands)) {}

  TrialResult trial(const Counts& counts) {
    std::vector<std::pair<size_t, Amounts>> nodes;
    for (size_t i = 0; i < counts.size(); ++i)
      for (uint64_t n = 0; n < counts[i]; ++n) nodes.emplace_back(i, offers_[i].amounts);
    TrialResult result;
    for (size_t d = 0; d < demands_.size(); ++d) {
      uint64_t left = 0;
      for (uint64_t pod = 0; pod < demands_[d].pods; ++pod) {
        ++result.work;
        left += place(demands_[d], nodes) ? 0 : 1;
      }
      if (left == 0) continue;
      result.unbound.push_back(demands_[d]);
      result.unbound.back().pods = left;
      result.kinds.push_back(d);
      result.pods += left;
    }
    return result;
  }

  Amounts needed() const {
    Amounts sum(offers_.front().amounts.size());
    for (const Demand& demand : demands_)
      for (size_t r = 0; r < sum.size(); ++r)
        sum[r] += demand.amounts[r] * static_cast<int64_t>(demand.pods);
    return sum;
  }
  const std::vector<Offer>& offers() const { return offers_; }
  const std::vector<Demand>& demands() const { return demands_; }

  SearchResult search(SearchLimits limits) {
    return Search(
               offers_, needed(), [this](const Counts& counts) { return trial(counts); }, limits,
               [] { return false; })
        .run();
  }

  // The best of all sets of up to so many nodes of each offer with which all have a node.
  Counts best(uint64_t most) {
    Counts best(offers_.size(), most), now(offers_.size());
    while (true) {
      if (is_better(now, best, offers_) && trial(now).pods == 0) best = now;
      size_t i = 0;
      while (i < now.size() && ++now[i] > most) now[i++] = 0;
      if (i == now.size()) return best;
    }
  }

 private:
  static bool place(const Demand& demand, std::vector<std::pair<size_t, Amounts>>& nodes) {
    Amounts* chosen = nullptr;
    for (auto& [offer, free] : nodes) {
      bool fits = demand.takes[offer];
      for (size_t r = 0; r < free.size(); ++r) fits &= demand.amounts[r] <= free[r];
      if (fits && (chosen == nullptr || free[0] > (*chosen)[0])) chosen = &free;
    }
    if (chosen == nullptr) return false;
    for (size_t r = 0; r < chosen->size(); ++r) (*chosen)[r] -= demand.amounts[r];
    return true;
  }

  std::vector<Offer> offers_;
  std::vector<Demand> demands_;
};

Demand pods_with(Amounts amounts, uint64_t pods, std::vector<bool> takes) {
  const size_t offers = takes.size();
  return {.amounts = std::move(amounts),
          .pods = pods,
          .takes = std::move(takes),
          .most = std::vector<uint64_t>(offers, UINT64_MAX)};
}

Spreading drawn(std::mt19937& random) {
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  std::vector<Offer> offers;
  const int64_t kinds = draw(1, 3);
  for (int64_t i = 0; i < kinds; ++i)
    offers.push_back({.name = "o",
                      .amounts = {draw(4, 16), draw(4, 16)},
                      .price = static_cast<double>(draw(2, 9))});
  std::vector<Demand> demands;
  for (int64_t i = draw(1, 2); i > 0; --i) {
    std::vector<bool> takes;
    for (int64_t o = 0; o < kinds; ++o) takes.push_back(draw(0, 4) != 0);
    // Drawn one after another, since compilers differ in the order of arguments.
    Amounts amounts = {draw(1, 4), draw(1, 4)};
    const auto pods = static_cast<uint64_t>(draw(1, 5));
    demands.push_back(pods_with(std::move(amounts), pods, takes));
    if (std::ranges::count(takes, true) == 0) demands.back().takes[0] = true;
  }
  return {std::move(offers), std::move(demands)};
}

// Small inputs are answered by the best nodes there are.
TEST(Search, IsExactOnSmallInputs) {
  std::mt19937 random(1);
  for (int round = 0; round < 150; ++round) {
    Spreading input = drawn(random);
    const SearchResult found = input.search({.most_listed = 5000});
    ASSERT_TRUE(found.exact);
    ASSERT_TRUE(found.stuck.empty());
    EXPECT_EQ(input.trial(found.counts).pods, 0u);
    const Counts best = input.best(10);
    EXPECT_FALSE(is_better(best, found.counts, input.offers())) << round;
  }
}

// More templates to choose from do not make the answer dearer.
TEST(Search, NoTemplateDoesBetterAlone) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const Spreading input = drawn(random);
    std::vector<Demand> demands = input.demands();
    for (Demand& demand : demands) demand.takes.assign(input.offers().size(), true);
    Spreading all(input.offers(), demands);
    const Counts found = all.search({.most_listed = 0}).counts;
    for (const Offer& offer : input.offers()) {
      for (Demand& demand : demands) demand.takes.assign(1, true), demand.most.resize(1);
      Spreading one({offer}, demands);
      const SearchResult alone = one.search({.most_listed = 0});
      if (!alone.stuck.empty()) continue;
      EXPECT_LE(price_of(found, input.offers()), price_of(alone.counts, {offer})) << round;
    }
  }
}

// The statement of docs/need.md about inputs where sets are not tried one by one.
TEST(Search, IsNotFarOffWithoutAList) {
  constexpr int kRounds = 3000;
  std::mt19937 random(2);
  int best_ones = 0;
  for (int round = 0; round < kRounds; ++round) {
    Spreading input = drawn(random);
    const SearchResult found = input.search({.most_listed = 0});
    EXPECT_EQ(input.trial(found.counts).pods, 0u);
    EXPECT_TRUE(found.minimal || found.exact);
    for (size_t i = 0; i < found.counts.size(); ++i) {
      Counts less = found.counts;
      if (less[i] == 0) continue;
      --less[i];
      EXPECT_NE(input.trial(less).pods, 0u) << round;
    }
    const double price = price_of(found.counts, input.offers());
    const double best = price_of(input.best(10), input.offers());
    EXPECT_LE(price, 1.6 * best) << round;
    if (price == best) ++best_ones;
  }
  EXPECT_GE(best_ones, kRounds * 99 / 100);
}

TEST(Search, IsNeverBelowTheBound) {
  std::mt19937 random(3);
  for (int round = 0; round < 150; ++round) {
    Spreading input = drawn(random);
    const SearchResult found = input.search({});
    const LowerBound bound = bound_of(found.needed, input.offers());
    EXPECT_LE(bound.price, price_of(found.counts, input.offers()) + 1e-9);
    EXPECT_LE(bound.nodes, node_count(found.counts));
  }
}

TEST(Search, LeavesOutPodsThatNoNodeHelps) {
  Spreading input({{.name = "a", .amounts = {4}, .price = 1}},
                  {pods_with({9}, 2, {true}), pods_with({2}, 4, {true})});
  const SearchResult found = input.search({});
  EXPECT_THAT(found.counts, ElementsAre(2));
  EXPECT_EQ(found.unbound, 2u);
  EXPECT_THAT(found.stuck, ElementsAre(testing::Pair(0u, 2u)));
  EXPECT_TRUE(found.exact);
}

// Arithmetic takes no node for these pods, and scheduling does.
TEST(Search, TriesOffersThatArithmeticDoesNotTake) {
  Spreading input({{.name = "a", .amounts = {4}, .price = 1}}, {pods_with({2}, 20, {true})});
  Search search(
      input.offers(), input.needed(),
      [&](const Counts& counts) {
        TrialResult result = input.trial(counts);
        for (Demand& demand : result.unbound) demand.takes = {false};
        return result;
      },
      {}, [] { return false; });
  EXPECT_THAT(search.run().counts, ElementsAre(10));
}

// The small pods come first and spread over what is meant for the large one.
TEST(Search, AddsMoreWhereOthersTakeTheRoom) {
  Spreading input({{.name = "a", .amounts = {4}, .price = 1}},
                  {pods_with({1}, 8, {true}), pods_with({4}, 1, {true})});
  const SearchResult found = input.search({});
  EXPECT_TRUE(found.stuck.empty());
  EXPECT_THAT(found.counts, ElementsAre(9));
}

TEST(Search, EndsWithWhatItHas) {
  Spreading input({{.name = "a", .amounts = {4}, .price = 1}}, {pods_with({2}, 20, {true})});
  int trials = 0;
  Search search(
      input.offers(), input.needed(),
      [&](const Counts& counts) {
        ++trials;
        return input.trial(counts);
      },
      {}, [&] { return trials >= 1; });
  const SearchResult found = search.run();
  EXPECT_TRUE(found.interrupted);
  EXPECT_THAT(found.counts, ElementsAre(0));
  EXPECT_EQ(found.unbound, 20u);
}

// Pods of a kind that is not known, without amounts: nothing can be packed by them.
TEST(Search, EndsWithATrialThatIsInterrupted) {
  bool interrupted = false;
  const std::vector<Offer> offers = {{.name = "a", .amounts = {4}, .price = 1}};
  Search search(
      offers, {4},
      [&](const Counts&) {
        interrupted = true;
        return TrialResult{
            .unbound = {{.amounts = {}, .pods = UINT64_MAX, .takes = {}, .most = {}}},
            .kinds = {SIZE_MAX},
            .pods = UINT64_MAX};
      },
      {}, [&] { return interrupted; });
  const SearchResult found = search.run();
  EXPECT_TRUE(found.interrupted);
  EXPECT_THAT(found.counts, ElementsAre(0));
}

}  // namespace
}  // namespace berth::cli
