#include "tests/soak/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::soak {
namespace {

constexpr uint64_t kMegabyte = 1'000'000;

// One sample for each value, in MB, at 100, 200, ... pods.
std::vector<Sample> samples(const std::vector<uint64_t>& megabytes) {
  std::vector<Sample> samples;
  for (uint64_t each : megabytes) samples.push_back({(samples.size() + 1) * 100, each * kMegabyte});
  return samples;
}

TEST(Curve, IsLevelIfTheLastQuartersAreNoHigher) {
  const Verdict verdict = judge(samples({10, 100, 100, 99}), 0, 0);
  EXPECT_TRUE(verdict.level);
  EXPECT_EQ(verdict.second, 100 * kMegabyte);
  EXPECT_EQ(verdict.third, 100 * kMegabyte);
  EXPECT_EQ(verdict.fourth, 99 * kMegabyte);
  EXPECT_EQ(verdict.bytes_per_pod, 0);
}

TEST(Curve, GrowsIfBothOfTheLastQuartersAreHigherByMoreThanIsAllowed) {
  EXPECT_TRUE(judge(samples({50, 100, 102, 106}), 5, 0).level);
  EXPECT_FALSE(judge(samples({50, 100, 103, 106}), 5, 0).level);
  EXPECT_TRUE(judge(samples({50, 100, 103, 106}), 5, kMegabyte).level);
}

TEST(Curve, IsLevelWithOneStepWhereverItIs) {
  for (size_t step = 1; step < 8; ++step) {
    std::vector<uint64_t> megabytes(8, 52);
    for (size_t i = step; i < megabytes.size(); ++i) megabytes[i] = 58;
    EXPECT_TRUE(judge(samples(megabytes), 5, 0).level) << step;
  }
}

TEST(Curve, ComparesTheHighestSamplesSoThatStepsAreLevel) {
  EXPECT_TRUE(judge(samples({20, 30, 100, 90, 30, 100, 60, 100}), 0, 0).level);
}

TEST(Curve, TellsWhatEachPodOfTheSecondHalfLeaves) {
  EXPECT_EQ(judge(samples({10, 20, 30, 40}), 5, 0).bytes_per_pod, 100'000);
}

TEST(Curve, IsPrintedWithTheGrowthBetweenSamples) {
  EXPECT_THAT(table(samples({10, 20})), ::testing::HasSubstr("200       20.0   100000.0\n"));
}

}  // namespace
}  // namespace berth::soak
