#include "engine/controllers/workloads/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using ::testing::ElementsAre;

RolloutLimits limits(uint64_t pods, uint64_t surge, uint64_t unavailable) {
  return {{.surge = {surge, false}, .unavailable = {unavailable, false}}, pods};
}

// The replicas of the sets, the last of which is the current one, when nothing changes any more.
std::vector<int64_t> rolled(std::vector<RolloutSet> sets, const RolloutLimits& limits,
                            bool former_pods = true) {
  while (rollout_step(sets, sets.size() - 1, limits, former_pods)) {
  }
  std::vector<int64_t> replicas;
  for (const RolloutSet& set : sets) replicas.push_back(set.replicas);
  return replicas;
}

std::vector<int64_t> scaled(std::vector<RolloutSet> sets, const RolloutLimits& limits,
                            int64_t before) {
  scale_sets(sets, sets.size() - 1, limits, before);
  std::vector<int64_t> replicas;
  for (const RolloutSet& set : sets) replicas.push_back(set.replicas);
  return replicas;
}

TEST(Rollout, PercentagesOfSurgeRoundUpAndOthersDown) {
  const RolloutLimits of(model::Rollout(), 5);
  EXPECT_EQ(of.surge, 2);
  EXPECT_EQ(of.unavailable, 1);
  EXPECT_EQ(limits(3, 0, 0).unavailable, 1) << "something has to change";
  EXPECT_EQ(limits(3, 0, 9).unavailable, 3);
  EXPECT_EQ(RolloutLimits({.recreates = true}, 5).surge, 0);
}

TEST(Rollout, PodsComeWithinTheSurgeAndGoWhereSomeMayLack) {
  EXPECT_THAT(rolled({{10, 10}, {0, 0}}, limits(10, 3, 2)), ElementsAre(8, 5));
  EXPECT_THAT(rolled({{8, 8}, {5, 5}}, limits(10, 3, 2)), ElementsAre(3, 10));
  EXPECT_THAT(rolled({{3, 3}, {10, 9}}, limits(10, 3, 2)), ElementsAre(0, 10));
  EXPECT_THAT(rolled({{3, 3}, {0, 0}}, limits(3, 1, 0)), ElementsAre(3, 1));
  EXPECT_THAT(rolled({{3, 3}, {1, 1}}, limits(3, 1, 0)), ElementsAre(2, 2));
}

TEST(Rollout, FormerPodsThatAreNotAvailableGoFirst) {
  EXPECT_THAT(rolled({{4, 4}, {4, 1}, {2, 0}}, limits(8, 2, 3)), ElementsAre(4, 1, 5));
}

TEST(Rollout, ASetThatIsTooLargeShrinks) {
  EXPECT_THAT(rolled({{0, 0}, {7, 7}}, limits(5, 1, 1)), ElementsAre(0, 5));
}

TEST(Rollout, RecreatedPodsComeWhenTheFormerOnesAreGone) {
  const RolloutLimits of({.recreates = true}, 3);
  EXPECT_THAT(rolled({{3, 3}, {0, 0}}, of, true), ElementsAre(0, 0));
  EXPECT_THAT(rolled({{0, 0}, {0, 0}}, of, false), ElementsAre(0, 3));
}

TEST(Rollout, AnotherNumberOfPodsIsDistributed) {
  EXPECT_THAT(scaled({{5, 5}, {0, 0}}, limits(8, 1, 1), 6), ElementsAre(8, 0));
  EXPECT_THAT(scaled({{0, 0}, {0, 0}}, limits(8, 1, 1), 6), ElementsAre(0, 8));
  EXPECT_THAT(scaled({{8, 8}, {4, 4}}, limits(20, 4, 1), 12), ElementsAre(16, 8));
  EXPECT_THAT(scaled({{6, 6}, {6, 6}}, limits(13, 0, 1), 12), ElementsAre(6, 7));
  EXPECT_THAT(scaled({{6, 6}, {6, 6}}, limits(11, 0, 1), 12), ElementsAre(5, 6));
  EXPECT_THAT(scaled({{8, 8}, {4, 4}}, limits(0, 0, 1), 12), ElementsAre(0, 0));
}

}  // namespace
}  // namespace berth::controllers
