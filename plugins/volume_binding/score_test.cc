#include "plugins/volume_binding/score.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "plugins/volume_binding/testing.h"

namespace berth::plugins::testing {
namespace {

// The values that kube-scheduler fills in: the emptier the storage, the better.
constexpr std::string_view kDefaultShape =
    R"({"shape": [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]})";
constexpr std::string_view kFullest =
    R"({"shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]})";

using Scores = std::vector<int64_t>;

class VolumeBindingScoreTest : public VolumeBindingTest {
 protected:
  VolumeBindingScoreTest() {
    storage_class("local", "kubernetes.io/no-provisioner");
    storage_class("made", "csi.a");
    driver("csi.a");
  }
  Scores score(std::vector<uint64_t> claims) { return scorer_.score(nodes(std::move(claims))); }

  Harness scorer_{host_, kDefaultShape};
};

TEST_F(VolumeBindingScoreTest, WithoutAShapeNothingIsScored) {
  claim("data", "local");
  EXPECT_EQ(plugin_.pre_score(nodes({key("data")})), BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_score(nodes({})), BERTH_SKIP);
}

TEST_F(VolumeBindingScoreTest, PodsWithoutClaimsScoreNothing) {
  EXPECT_EQ(scorer_.pre_score(nodes({})), BERTH_SUCCESS);
  EXPECT_EQ(score({}), (Scores{0, 0}));
  EXPECT_TRUE(scorer_.passed());
  bound("data", "disk");
  volume("disk", 0);
  EXPECT_EQ(score({key("data")}), (Scores{0, 0}));
}

TEST_F(VolumeBindingScoreTest, FailsWithoutThePreFilter) {
  claim("data", "local");
  EXPECT_THROW(scorer_.pre_score(nodes({key("data")})), std::runtime_error);
  EXPECT_EQ(scorer_.error(), "not found");
}

TEST_F(VolumeBindingScoreTest, VolumesAreScoredByWhatTheClaimTakes) {
  claim("data", "local", 20);
  volume("wide", 1, 100);
  volume("narrow", 2, 40);
  EXPECT_EQ(score({key("data")}), (Scores{80, 50}));
  Harness fullest(host_, kFullest);
  EXPECT_EQ(fullest.score(nodes({key("data")})), (Scores{20, 50}));
  Harness flat(host_, R"({"shape": [{"utilization": 50, "score": 4}]})");
  EXPECT_EQ(flat.score(nodes({key("data")})), (Scores{40, 40}));
}

TEST_F(VolumeBindingScoreTest, ClaimsOfOneClassAddUp) {
  claim("a", "local", 20);
  claim("b", "local", 30);
  for (const char* name : {"v0", "v1"}) volume(name, 1, 100);
  volume("v2", 2, 20);
  volume("v3", 2, 30);
  EXPECT_EQ(score({key("a"), key("b")}), (Scores{75, 0})) << "50 of 200, and 50 of 50";
}

TEST_F(VolumeBindingScoreTest, ClassesCountTheSame) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("a", "local", 20);
  claim("b", "fast", 1);
  volume("v0", 0, 100, "local");
  volume("v1", 0, 3, "fast");
  // 20 % and 33 %: 80 and 67, whose mean is rounded away from 0.
  EXPECT_EQ(score({key("a"), key("b")}), (Scores{74, 74}));
}

TEST_F(VolumeBindingScoreTest, CapacitiesAreScoredWhereVolumesAreMade) {
  claim("data", "made", 50);
  capacity("made", 1, 100);
  capacity("made", 2, 200);
  EXPECT_EQ(score({key("data")}), (Scores{50, 75}));
}

TEST_F(VolumeBindingScoreTest, NewVolumesOfAClassShareItsCapacity) {
  claim("a", "made", 50);
  claim("b", "made", 50);
  claim("c", "made", 50);
  capacity("made", 1, 100);
  capacity("made", 2, 200);
  EXPECT_EQ(score({key("a"), key("b")}), (Scores{0, 50})) << "100 of 100, and 100 of 200";
  EXPECT_EQ(score({key("a"), key("b"), key("c")}), (Scores{0, 25})) << "150 of 100 count as 100 %";
}

TEST_F(VolumeBindingScoreTest, TheLargestOfSeveralCapacitiesCounts) {
  claim("data", "made", 50);
  capacity("made", 1, 100);
  capacity("made", 0, 200);
  capacity("made", 0, 125);
  capacity("other", 0, 1000);
  capacity("made", 2, 500);
  EXPECT_EQ(score({key("data")}), (Scores{75, 90}));
}

TEST_F(VolumeBindingScoreTest, ACapacityThatIsNotKnownIsFull) {
  claim("data", "made", 50);
  capacity("made", 1, 100).capacity = 0;
  capacity("made", 2, 100);
  EXPECT_EQ(score({key("data")}), (Scores{0, 50}));
}

TEST_F(VolumeBindingScoreTest, AHostWithoutTheMemberKnowsNoCapacity) {
  claim("data", "made", 50);
  capacity("made", 1, 100).size = offsetof(berth_csi_capacity, capacity);
  capacity("made", 2, 100);
  EXPECT_EQ(score({key("data")}), (Scores{0, 50}));
}

TEST_F(VolumeBindingScoreTest, WhatNeedsNoCapacityScoresNothing) {
  claim("data", "made", 50).flags = 0;
  capacity("made", 0, 100);
  EXPECT_EQ(score({key("data")}), (Scores{0, 0})) << "a claim without a request";
  host_.volumes.claims[0].flags = BERTH_CLAIM_HAS_STORAGE;
  EXPECT_EQ(score({key("data")}), (Scores{50, 50}));
  host_.volumes.csi_drivers[0].storage_capacity = 0;
  EXPECT_EQ(score({key("data")}), (Scores{0, 0})) << "a driver that publishes none";
}

TEST_F(VolumeBindingScoreTest, AVolumeHidesCapacities) {
  claim("a", "made", 10);
  claim("b", "made", 50);
  volume("disk", 1, 40, "made");
  capacity("made", 0, 100);
  // n0: the volume for the smaller claim alone; n1: both are made.
  EXPECT_EQ(score({key("a"), key("b")}), (Scores{75, 40}));
}

TEST_F(VolumeBindingScoreTest, PercentagesWrapAroundAsInGo) {
  claim("data", "made", 100'000'000'000'000'000);
  capacity("made", 1, 200'000'000'000'000'000);
  capacity("made", 2, 100'000'000'000'000'000);
  // 10^19 is -8446744073709551616 in 64 bits: -42 % on n0, -84 % on n1.
  EXPECT_EQ(score({key("data")}), (Scores{100, 100}));
}

TEST_F(VolumeBindingScoreTest, TellsWhatTheScoreIsMadeOf) {
  claim("data", "made", 50);
  capacity("made", 0, 100);
  const auto numbers = scorer_.score_numbers(nodes({key("data")}));
  ASSERT_EQ(numbers.size(), 2u);
  ASSERT_EQ(numbers[0].size(), 1u);
  EXPECT_NE(numbers[0][0].find("made"), std::string::npos) << numbers[0][0];
  EXPECT_NE(numbers[0][0].find("100"), std::string::npos) << numbers[0][0];
}

TEST_F(VolumeBindingScoreTest, TheShapeIsChecked) {
  EXPECT_TRUE(Harness::validate(kDefaultShape).empty());
  EXPECT_EQ(
      Harness::validate(R"({"shape": []})"),
      std::vector<std::string>{"shape: Required value: at least one point must be specified"});
  EXPECT_EQ(Harness::validate(R"({"shape": [{"utilization": 101, "score": 11}]})"),
            (std::vector<std::string>{
                "shape[0].utilization: Invalid value: 101: not in valid range [0, 100]",
                "shape[0].score: Invalid value: 11: not in valid range [0, 10]"}));
}

}  // namespace
}  // namespace berth::plugins::testing
