#include "loadgen/generate/draws/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "loadgen/generate/draws/draws.h"
#include "loadgen/generate/draws/portable_math.h"
#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

constexpr size_t kDraws = 100'000;

std::vector<int64_t> draws(const Distribution& distribution) {
  std::vector<int64_t> list(kDraws);
  for (size_t i = 0; i < kDraws; ++i) list[i] = distribution.draw(drawn(1, For::kRequest, 0, i));
  std::ranges::sort(list);
  return list;
}

double at(const std::vector<int64_t>& sorted, double fraction) {
  return static_cast<double>(
      sorted[static_cast<size_t>(fraction * static_cast<double>(sorted.size() - 1))]);
}

double mean(const std::vector<int64_t>& list) {
  double sum = 0;
  for (const int64_t value : list) sum += static_cast<double>(value);
  return sum / static_cast<double>(list.size());
}

TEST(PortableMath, AgreesWithTheLibrary) {
  for (int i = 1; i < 4000; ++i) {
    const double x = std::ldexp(1 + i * 0.37, i % 61 - 30);
    EXPECT_NEAR(portable_ln(x), std::log(x), 1e-14 * std::max(1.0, std::abs(std::log(x)))) << x;
    const double y = (i - 2000) * 0.3;
    EXPECT_NEAR(portable_exp(y) / std::exp(y), 1, 1e-13) << y;
  }
  EXPECT_EQ(portable_ln(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
}

TEST(PortableMath, QuantilesOfTheNormalDistributionGiveTheirProbabilities) {
  for (double p : {1e-300, 1e-16, 1e-9, 0.001, 0.07, 0.075, 0.3, 0.5, 0.7, 0.93, 0.999, 1 - 1e-9}) {
    const double back = 0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0));
    EXPECT_NEAR(back / p, 1, 1e-11) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
}

// Compares bits, so that a machine with different results fails the test.
TEST(PortableMath, IsTheSameToTheLastBit) {
  EXPECT_EQ(portable_ln(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(portable_exp(1), 0x1.5bf0a8b14576ap+1);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 1000; ++i)
    sum = mix(sum ^ std::bit_cast<uint64_t>(normal_quantile(unit_interval(mix(i)))));
  EXPECT_EQ(sum, 15099032475483697900u);
}

TEST(Distribution, FixedIsFixed) {
  Distribution d;
  d.first = 42;
  EXPECT_EQ(draws(d).front(), 42);
  EXPECT_EQ(draws(d).back(), 42);
}

TEST(Distribution, UniformReachesBothEndsEvenly) {
  const auto list = draws({.kind = Distribution::Kind::kUniform, .first = 10, .second = 19});
  EXPECT_EQ(list.front(), 10);
  EXPECT_EQ(list.back(), 19);
  for (int64_t value = 10; value < 20; ++value)
    EXPECT_NEAR(static_cast<double>(std::ranges::count(list, value)), kDraws / 10.0, 400) << value;
}

TEST(Distribution, NormalHasItsMeanAndDeviation) {
  const auto list = draws({.kind = Distribution::Kind::kNormal, .first = 10'000, .second = 500});
  EXPECT_NEAR(mean(list), 10'000, 10);
  EXPECT_NEAR(at(list, 0.841345), 10'500, 15);
  EXPECT_NEAR(at(list, 0.158655), 9'500, 15);
}

TEST(Distribution, LogNormalHasItsMedianAndSigma) {
  const auto list = draws({.kind = Distribution::Kind::kLogNormal, .first = 100'000, .shape = 0.5});
  EXPECT_NEAR(at(list, 0.5), 100'000, 1'000);
  EXPECT_NEAR(at(list, 0.841345) / 100'000, std::exp(0.5), 0.02);
  EXPECT_NEAR(mean(list) / 100'000, std::exp(0.125), 0.01);
}

TEST(Distribution, ParetoHasItsTail) {
  const auto list = draws({.kind = Distribution::Kind::kPareto, .first = 1'000, .shape = 2});
  EXPECT_GE(list.front(), 1'000);
  EXPECT_NEAR(at(list, 0.5) / 1'000, std::sqrt(2.0), 0.02);
  EXPECT_NEAR(at(list, 0.99) / 1'000, 10, 0.4);
}

TEST(Distribution, ExponentialHasItsMean) {
  const auto list = draws({.kind = Distribution::Kind::kExponential, .first = 1'000'000});
  EXPECT_NEAR(mean(list) / 1e6, 1, 0.015);
  EXPECT_NEAR(at(list, 0.5) / 1e6, std::log(2), 0.015);
}

TEST(Distribution, EmpiricalKeepsToItsWeights) {
  const auto list = draws({.kind = Distribution::Kind::kEmpirical, .values = {{5, 1}, {7, 4}}});
  EXPECT_NEAR(static_cast<double>(std::ranges::count(list, 5)), kDraws / 4.0, 600);
  EXPECT_EQ(std::ranges::count(list, 5) + std::ranges::count(list, 7),
            static_cast<std::ptrdiff_t>(kDraws));
}

TEST(Distribution, RoundsToItsStepAndKeepsToItsBounds) {
  const auto list = draws({.kind = Distribution::Kind::kNormal,
                           .first = 1'000,
                           .second = 400,
                           .step = 100,
                           .lowest = 500,
                           .highest = 1'500});
  EXPECT_EQ(list.front(), 500);
  EXPECT_EQ(list.back(), 1'500);
  EXPECT_TRUE(std::ranges::all_of(list, [](int64_t value) { return value % 100 == 0; }));
}

TEST(Distribution, OfHugeAmountsStaysWithinBounds) {
  for (const auto kind : {Distribution::Kind::kPareto, Distribution::Kind::kLogNormal}) {
    const auto list = draws({.kind = kind, .first = Distribution::kMost, .shape = 0.01});
    EXPECT_GE(list.front(), 0);
    EXPECT_LE(list.back(), Distribution::kMost);
  }
}

}  // namespace
}  // namespace berth::loadgen
