#include "engine/controllers/workloads/replicas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

ReplicaPod bound(std::string name, std::string node, Time since) {
  return {.name = std::move(name), .node = std::move(node), .ready_since = since, .created = since};
}

std::vector<std::string> deleted(std::vector<ReplicaPod> pods, size_t count, Time now,
                                 AgeOrder order = AgeOrder::kLogarithmic) {
  std::vector<std::string> names, again;
  for (const size_t i : pods_to_delete(pods, count, now, order)) names.push_back(pods[i].name);
  std::ranges::reverse(pods);
  for (const size_t i : pods_to_delete(pods, count, now, order)) again.push_back(pods[i].name);
  EXPECT_EQ(names, again) << "the order in which pods are given counts";
  return names;
}

TEST(Replicas, PodsThatDoNotRunGoFirst) {
  ReplicaPod waits = {.name = "waits", .node = {}};
  ReplicaPod unready = {.name = "unready", .node = "n"};
  EXPECT_THAT(deleted({bound("runs", "n", 0s), unready, waits}, 2, 10s),
              ElementsAre("waits", "unready"));
}

TEST(Replicas, PodsThatShareANodeGoBeforeOthers) {
  EXPECT_THAT(deleted({bound("a", "n", 0s), bound("b", "m", 0s), bound("c", "n", 0s)}, 3, 10s),
              ElementsAre("a", "c", "b"));
}

TEST(Replicas, PodsThatAreNotReadyCountOnTheirNode) {
  ReplicaPod unready = {.name = "unready", .node = "m"};
  EXPECT_THAT(deleted({bound("a", "n", 0s), bound("b", "m", 0s), unready}, 3, 10s),
              ElementsAre("unready", "b", "a"));
}

TEST(Replicas, PodsThatCostLessGoBeforeThoseThatShareANode) {
  std::vector<ReplicaPod> pods = {bound("a", "n", 0s), bound("b", "n", 0s), bound("c", "m", 0s)};
  pods[0].deletion_cost = 5;
  pods[2].deletion_cost = -5;
  EXPECT_THAT(deleted(pods, 3, 10s), ElementsAre("c", "b", "a"));
  EXPECT_THAT(deleted(pods, 3, 10s, AgeOrder::kNewestFirst), ElementsAre("a", "b", "c"));
  pods[0].ready_since.reset();
  EXPECT_THAT(deleted(pods, 1, 10s), ElementsAre("a")) << "it is not ready";
}

TEST(Replicas, PodsOfAnotherSetStayAndCountOnTheirNode) {
  ReplicaPod other = bound("other", "m", 0s);
  other.is_own = false;
  EXPECT_THAT(deleted({bound("a", "n", 0s), bound("b", "m", 0s), other}, 2, 10s),
              ElementsAre("b", "a"));
}

TEST(Replicas, YoungerPodsGoFirst) {
  EXPECT_THAT(deleted({bound("old", "n", 0s), bound("young", "m", 900s)}, 1, 1000s),
              ElementsAre("young"));
}

TEST(Replicas, AgesOfOnePowerOfTwoAreEqual) {
  const std::vector<ReplicaPod> pods = {bound("a", "n", 0s), bound("b", "m", 100s)};
  EXPECT_THAT(deleted(pods, 1, 1000s), ElementsAre("a")) << "by name";
  EXPECT_THAT(deleted(pods, 1, 1000s, AgeOrder::kNewestFirst), ElementsAre("b"));
}

TEST(Replicas, WhoseTimesOfReadinessCountAsEqualGoByName) {
  ReplicaPod older = bound("a", "n", 100s), younger = bound("b", "m", 200s);
  older.created = 0s;
  younger.created = 900s;
  EXPECT_THAT(deleted({older, younger}, 1, 1000s), ElementsAre("a"));
  older.ready_since = younger.ready_since;
  EXPECT_THAT(deleted({older, younger}, 1, 1000s), ElementsAre("b")) << "the younger one";
}

TEST(Replicas, TimesWithinASecondAreEqual) {
  EXPECT_THAT(
      deleted({bound("a", "n", 1ms), bound("b", "m", 900ms)}, 1, 1s, AgeOrder::kNewestFirst),
      ElementsAre("a"));
}

}  // namespace
}  // namespace berth::controllers
