#include "engine/controllers/kubelet/eviction/eviction_text.h"

#include <gtest/gtest.h>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace testing;

const Shortfall kLowMemory{Starved::kMemory, amount("100Mi"), amount("50Mi")};
const Shortfall kLowDisk{Starved::kEphemeralStorage, amount("10Gi"), amount("0")};

std::string behind(const std::string& text, std::string_view beginning) {
  EXPECT_TRUE(text.starts_with(beginning)) << text;
  return text.substr(std::min(text.size(), beginning.size()));
}

std::string low_memory(const Pod& one, const PodUsage& usage) {
  return behind(eviction_text({0, &one, &usage}, kLowMemory).message,
                "The node was low on resource: memory. Threshold quantity: 100Mi, available: "
                "50Mi. ");
}

std::string low_disk(const Pod& one, const PodUsage& usage) {
  return behind(eviction_text({0, &one, &usage}, kLowDisk).message,
                "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, "
                "available: 0. ");
}

TEST(EvictionTexts, ContainersAboveTheirRequests) {
  const Pod one = pod("a", {{"memory", "1G"}});
  EXPECT_EQ(low_memory(one, memory_use(kGi)),
            "Container c was using 1Gi, request is 1G, has larger consumption of memory. ");
  EXPECT_EQ(low_memory(one, memory_use(1'000'000'000)), "");
  EXPECT_EQ(low_memory(one, PodUsage{}), "");
}

TEST(EvictionTexts, InitContainersHaveRequestsToo) {
  Pod one = pod("a");
  one.init_containers.push_back(container({{"memory", "1Mi"}}, {}, "side"));
  EXPECT_EQ(low_memory(
                one, {{{.name = "side", .memory = 2 * kMi}, {.name = "z", .memory = kGi}}, {}, {}}),
            "Container side was using 2Mi, request is 1Mi, has larger consumption of memory. ");
}

TEST(EvictionTexts, OfStorageBothFiguresAreNeeded) {
  const Pod one = pod("a");
  EXPECT_EQ(low_disk(one, disk_use(kGi, kGi)),
            "Container c was using 2Gi, request is 0, has larger consumption of "
            "ephemeral-storage. ");
  EXPECT_EQ(low_disk(one, {{{.name = "c", .layer = kGi}}, {}, {}}), "");
}

TEST(EvictionTexts, ThePodComesBeforeItsContainers) {
  Pod one = pod("a", {{"memory", "1Gi"}});
  one.resources.emplace().requests = amounts({{"memory", "3Gi"}});
  const PodUsage usage = memory_use(2 * kGi);
  const EvictionText text = eviction_text({0, &one, &usage}, kLowMemory);
  EXPECT_EQ(low_memory(one, usage),
            "Pod a was using 2Gi, request is 3Gi, has larger consumption of memory. "
            "Container c was using 2Gi, request is 1Gi, has larger consumption of memory. ");
  EXPECT_EQ(text.annotations, (model::StringMap{{"offending_containers", "c"},
                                                {"offending_containers_usage", "2Gi"},
                                                {"offending_pod", "a"},
                                                {"offending_pod_usage", "2Gi"},
                                                {"starved_resource", "memory"}}));
}

TEST(EvictionTexts, WithoutStatisticsNothingIsAnnotated) {
  const Pod one = pod("a");
  EXPECT_TRUE(eviction_text({0, &one, nullptr}, kLowMemory).annotations.empty());
}

std::optional<std::string> over(const Pod& one, const PodUsage& usage,
                                Filesystems filesystems = Filesystems::kSingle) {
  return over_local_limit({0, &one, &usage}, filesystems);
}

TEST(LocalLimits, TheFirstThatIsExceededCounts) {
  Pod one = pod("a", {}, {{"ephemeral-storage", "1Gi"}});
  one.volumes.push_back({"v", VolumeKind::kEmptyDir, amount("1024Mi")});
  PodUsage usage = disk_use(2 * kGi, 0);
  usage.volumes.push_back({"v", kGi + 1, 1});
  EXPECT_EQ(over(one, usage), "Usage of EmptyDir volume \"v\" exceeds the limit \"1Gi\". ");
  usage.volumes[0].bytes = kGi;
  EXPECT_EQ(over(one, usage),
            "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ");
}

TEST(LocalLimits, OfAContainerCountLayersOnlyBesideLogs) {
  Pod one = pod("a", {}, {{"ephemeral-storage", "1Gi"}});
  one.containers.push_back(container({}, {{"ephemeral-storage", "9Gi"}}, "d"));
  EXPECT_EQ(over(one, disk_use(kGi, kGi)),
            "Container c exceeded its local ephemeral storage limit \"1Gi\". ");
  EXPECT_FALSE(over(one, disk_use(kGi, kGi), Filesystems::kImages));
  EXPECT_FALSE(over(one, disk_use(kGi, kGi), Filesystems::kSplit));
  EXPECT_TRUE(over(one, disk_use(0, kGi + 1), Filesystems::kSplit));
  EXPECT_FALSE(over(one, disk_use(0, kGi)));
}

TEST(LocalLimits, OnlyEphemeralVolumesCountForThePod) {
  Pod one = pod("a", {}, {{"ephemeral-storage", "1Gi"}});
  one.volumes.push_back({"v", VolumeKind::kHostPath, std::nullopt});
  PodUsage usage = disk_use(0, 0);
  usage.volumes.push_back({"v", 2 * kGi, 1});
  EXPECT_FALSE(over(one, usage));
  one.volumes[0].kind = VolumeKind::kEmptyDir;
  EXPECT_TRUE(over(one, usage));
}

}  // namespace
}  // namespace berth::controllers::kubelet
