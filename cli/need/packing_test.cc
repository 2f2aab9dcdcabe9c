#include "cli/need/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using testing::ElementsAre;

Offer offer(const char* name, Amounts amounts, double price, uint64_t most = UINT32_MAX) {
  return {.name = name, .amounts = std::move(amounts), .price = price, .most = most};
}

Demand demand(Amounts amounts, uint64_t pods, std::vector<bool> takes) {
  const size_t offers = takes.size();
  return {.amounts = std::move(amounts),
          .pods = pods,
          .takes = std::move(takes),
          .most = std::vector<uint64_t>(offers, UINT64_MAX)};
}

TEST(Pack, TakesWhatHoldsTheMostForItsPrice) {
  const std::vector<Offer> offers = {offer("small", {2, 10}, 1), offer("large", {8, 10}, 3)};
  EXPECT_THAT(pack({demand({1, 1}, 16, {true, true})}, offers, {0, 0}), ElementsAre(0, 2));
  // The rest goes to a cheaper node.
  EXPECT_THAT(pack({demand({1, 1}, 17, {true, true})}, offers, {0, 0}), ElementsAre(1, 2));
}

TEST(Pack, KeepsToWhatOffersTakeAndHave) {
  const std::vector<Offer> offers = {offer("plain", {4, 10}, 1, 3), offer("gpu", {4, 10}, 5)};
  EXPECT_THAT(pack({demand({4, 1}, 5, {true, true})}, offers, {1, 0}), ElementsAre(2, 3));
  EXPECT_THAT(pack({demand({4, 1}, 2, {false, true})}, offers, {0, 0}), ElementsAre(0, 2));
  EXPECT_THAT(pack({demand({5, 1}, 2, {true, true})}, offers, {0, 0}), ElementsAre(0, 0));
}

TEST(Pack, KeepsToTheMostOfANode) {
  const std::vector<Offer> offers = {offer("a", {10}, 1)};
  Demand apart = demand({1}, 4, {true});
  apart.most = {1};
  EXPECT_THAT(pack({apart}, offers, {0}), ElementsAre(4));
}

TEST(BoundOf, IsTheDearestResource) {
  const std::vector<Offer> offers = {offer("a", {4, 100}, 2), offer("b", {16, 100}, 4)};
  const LowerBound bound = bound_of({40, 150}, offers);
  EXPECT_DOUBLE_EQ(bound.price, 10);  // 40 at 4 for 16
  EXPECT_EQ(bound.nodes, 3u);
  EXPECT_EQ(bound.resource, 0u);
  EXPECT_EQ(bound_of({0, -5}, offers).nodes, 0u);
  EXPECT_EQ(bound_of({0, -5}, offers).resource, SIZE_MAX);
}

TEST(BetterCounts, AreAllThatMayDoTheCheapestFirst) {
  const std::vector<Offer> offers = {offer("a", {4}, 2), offer("b", {8}, 3, 2)};
  bool complete = false;
  EXPECT_THAT(better_counts({3, 1}, {12}, offers, 100, complete),
              ElementsAre(ElementsAre(1, 1), ElementsAre(0, 2), ElementsAre(3, 0),
                          ElementsAre(2, 1), ElementsAre(1, 2), ElementsAre(4, 0)));
  EXPECT_TRUE(complete);
  better_counts({3, 1}, {12}, offers, 2, complete);
  EXPECT_FALSE(complete);
}

TEST(BetterCounts, CountNodesWherePricesAreEqual) {
  const std::vector<Offer> offers = {offer("a", {4}, 0), offer("b", {8}, 0)};
  bool complete = false;
  EXPECT_THAT(better_counts({2, 0}, {8}, offers, 100, complete), ElementsAre(ElementsAre(0, 1)));
}

}  // namespace
}  // namespace berth::cli
