#include "bench/macro/measure/figures/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::bench {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 100}), 3.5);
}

TEST(Variation, IsRelativeToTheMean) {
  EXPECT_EQ(variation({7}), 0);
  EXPECT_EQ(variation({5, 5, 5}), 0);
  EXPECT_NEAR(variation({90, 110}), 0.1414, 1e-4);
}

// Textbook values: if n values per side do not overlap, p is 2 / binomial(2n, n).
TEST(MannWhitney, IsExactForSmallSamples) {
  EXPECT_NEAR(p_of_same({1, 2, 3}, {4, 5, 6}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(p_of_same({1, 2, 3, 4}, {5, 6, 7, 8}), 2.0 / 70, 1e-12);
  EXPECT_NEAR(p_of_same({6, 7, 8, 9, 10}, {1, 2, 3, 4, 5}), 2.0 / 252, 1e-12);
  // U = 1: of 70 ways, one has U = 0 and one has U = 1.
  EXPECT_NEAR(p_of_same({1, 2, 3, 5}, {4, 6, 7, 8}), 4.0 / 70, 1e-12);
}

TEST(MannWhitney, DoesNotDependOnOrderOrSides) {
  const std::vector<double> a = {3, 9, 1, 7, 12}, b = {2, 8, 20, 30, 4};
  std::vector<double> turned(a.rbegin(), a.rend());
  EXPECT_EQ(p_of_same(a, b), p_of_same(b, a));
  EXPECT_EQ(p_of_same(a, b), p_of_same(turned, b));
}

TEST(MannWhitney, FindsNoDifferenceWhereThereIsNone) {
  EXPECT_EQ(p_of_same({5, 5, 5, 5}, {5, 5, 5, 5}), 1);
  EXPECT_EQ(p_of_same({}, {1, 2}), 1);
  EXPECT_GT(p_of_same({1, 3, 5, 7}, {2, 4, 6, 8}), 0.5);
}

// U is 3.5. Of the ten values three, two and two are equal, so the variance is 22.08. The distance
// from the mean, 9 minus 0.5 for continuity, is 1.81 standard deviations; both tails beyond it hold
// 7.05 %.
TEST(MannWhitney, CorrectsForTies) {
  EXPECT_NEAR(p_of_same({1, 2, 2, 3, 4}, {2, 4, 5, 5, 6}), 0.07048, 1e-5);
}

TEST(MannWhitney, UsesTheNormalApproximationForLargeSamples) {
  std::vector<double> a, b;
  for (int i = 0; i < 50; ++i) {
    a.push_back(2 * i);
    b.push_back(2 * i + 1);
  }
  EXPECT_GT(p_of_same(a, b), 0.5);
  for (double& value : b) value += 60;
  EXPECT_LT(p_of_same(a, b), 1e-4);
}

TEST(MannWhitney, KnowsTheLeastThatItCanSay) {
  EXPECT_NEAR(least_p(3, 3), 0.1, 1e-12);
  EXPECT_NEAR(least_p(4, 4), 2.0 / 70, 1e-12);
  EXPECT_NEAR(least_p(2, 8), 2.0 / 45, 1e-12);
  EXPECT_EQ(least_p(0, 8), 1);
}

TEST(RatioInterval, HoldsTheRatioAndIsTheSameEachTime) {
  const std::vector<double> a = {100, 101, 99, 102, 98}, b = {110, 111, 109, 112, 108};
  const Interval interval = ratio_interval(a, b);
  EXPECT_LT(interval.low, 1.1);
  EXPECT_GT(interval.high, 1.1);
  EXPECT_GT(interval.low, 1.04);
  EXPECT_LT(interval.high, 1.15);
  EXPECT_EQ(ratio_interval(a, b).low, interval.low);
}

TEST(RatioInterval, IsAPointForOneValueASide) {
  const Interval interval = ratio_interval({4}, {5});
  EXPECT_EQ(interval.low, 1.25);
  EXPECT_EQ(interval.high, 1.25);
}

}  // namespace
}  // namespace berth::bench
