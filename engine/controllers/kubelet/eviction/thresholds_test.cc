#include "engine/controllers/kubelet/eviction/thresholds.h"

#include <gtest/gtest.h>

#include <chrono>

#include "engine/base/error.h"
#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace std::chrono_literals;
using testing::kGi;

std::vector<Threshold> hard_thresholds(model::StringMap values, bool enforce_pods = false) {
  return parse_thresholds({.hard = std::move(values), .enforce_pods = enforce_pods});
}

std::string refused(const ThresholdSettings& settings) {
  try {
    parse_thresholds(settings);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

TEST(Thresholds, APercentageIsCutInFloatingPoint) {
  const auto list = hard_thresholds({{"nodefs.available", "10%"}, {"pid.available", "7.5%"}});
  EXPECT_EQ(amount_of(list[0].value, 100 * kGi).to_string(), "10737418400");
  EXPECT_EQ(amount_of(list[1].value, 1000).to_string(), "75");
}

TEST(Thresholds, NoneAndAllSwitchOff) {
  EXPECT_TRUE(
      hard_thresholds({{"memory.available", "0%"}, {"nodefs.available", "100%"}}, true).empty());
  EXPECT_EQ(hard_thresholds({{"nodefs.available", "0.0%"}}).size(), 1u);
}

TEST(Thresholds, FaultsAreNamed) {
  EXPECT_NE(refused({.hard = {{"memory.available", "0"}}}).find("above 0"), std::string::npos);
  EXPECT_NE(refused({.hard = {{"nodefs.available", "101%"}}}).find("100%"), std::string::npos);
  EXPECT_NE(refused({.hard = {{"nodefs", "10%"}}}).find("no such signal"), std::string::npos);
  EXPECT_NE(refused({.soft = {{"nodefs.available", "10%"}}}).find("grace period"),
            std::string::npos);
  EXPECT_NE(refused({.minimum_reclaim = {{"nodefs.available", "0%"}}}).find("above 0%"),
            std::string::npos);
  EXPECT_EQ(refused({.minimum_reclaim = {{"nodefs.available", "0"}}}), "");
}

TEST(Thresholds, HardOnesOfMemoryAreThoseOfPodsToo) {
  const auto list = parse_thresholds({.hard = {{"memory.available", "100Mi"}},
                                      .soft = {{"memory.available", "1Gi"}},
                                      .soft_grace = {{"memory.available", "0s"}},
                                      .minimum_reclaim = {{"memory.available", "5%"}}});
  ASSERT_EQ(list.size(), 4u);  // without a grace period a soft threshold is a hard one
  for (const size_t i : {2u, 3u}) {
    EXPECT_EQ(list[i].signal, Signal::kAllocatableMemoryAvailable);
    EXPECT_EQ(amount_of(list[i].value, 0).to_string(), amount_of(list[i - 2].value, 0).to_string());
    EXPECT_TRUE(list[i].minimum_reclaim);
  }
}

TEST(Thresholds, SoftOnesOfMemoryAreTheNodesAlone) {
  const auto list = parse_thresholds({.hard = {{"memory.available", "100Mi"}},
                                      .soft = {{"memory.available", "1Gi"}},
                                      .soft_grace = {{"memory.available", "1m"}}});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(amount_of(list[2].value, 0).to_string(), "100Mi");
}

TEST(Thresholds, OfContainersFollowTheFilesystem) {
  const auto configured = hard_thresholds({{"containerfs.available", "1Gi"},
                                           {"imagefs.available", "15%"},
                                           {"nodefs.available", "10%"},
                                           {"nodefs.inodesFree", "5%"}});
  const auto values = [&](Filesystems filesystems) {
    std::vector<std::string> texts;
    for (const Threshold& one : with_container_filesystem(configured, filesystems).all)
      if (one.signal == Signal::kContainerFsAvailable ||
          one.signal == Signal::kContainerFsInodesFree)
        texts.push_back(amount_of(one.value, 1000).to_string());
    return texts;
  };
  EXPECT_EQ(values(Filesystems::kSingle), (std::vector<std::string>{"100", "50"}));
  EXPECT_EQ(values(Filesystems::kSplit), (std::vector<std::string>{"100", "50"}));
  EXPECT_EQ(values(Filesystems::kImages), (std::vector<std::string>{"150"}));
  EXPECT_EQ(with_container_filesystem(configured, Filesystems::kSingle).at_once, 4u);
}

TEST(Thresholds, OfContainersVanishWithoutASource) {
  const auto configured = hard_thresholds({{"containerfs.available", "1Gi"}});
  EXPECT_TRUE(with_container_filesystem(configured, Filesystems::kSingle).all.empty());
}

TEST(Thresholds, SoftOnesOfContainersKeepTheirGracePeriod) {
  const auto configured = parse_thresholds(
      {.soft = {{"nodefs.available", "1Gi"}}, .soft_grace = {{"nodefs.available", "1m30s"}}});
  const NodeThresholds made = with_container_filesystem(configured, Filesystems::kSingle);
  ASSERT_EQ(made.all.size(), 2u);
  EXPECT_EQ(made.all[1].grace, 90s);
  EXPECT_EQ(made.at_once, 1u);
}

TEST(Thresholds, Defaults) {
  EXPECT_EQ(hard_thresholds(default_hard_thresholds(), true).size(), 6u);
}

}  // namespace
}  // namespace berth::controllers::kubelet
