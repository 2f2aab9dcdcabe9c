#include "engine/controllers/kubelet/eviction/ranking.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace testing;

class Ranked {
 public:
  void add(Pod one, std::optional<PodUsage> usage, int32_t priority = 0) {
    one.priority = priority;
    pods_.push_back({std::move(one), std::move(usage)});
  }
  std::string order(Signal signal, Filesystems filesystems = Filesystems::kSingle) const {
    std::vector<Candidate> list;
    for (const auto& [one, usage] : pods_)
      list.push_back({list.size(), &one, usage ? &*usage : nullptr});
    rank(list, signal, filesystems);
    std::string names;
    for (const Candidate& one : list) names += one.pod->name;
    return names;
  }

 private:
  std::deque<std::pair<Pod, std::optional<PodUsage>>> pods_;
};

PodUsage inode_use(int64_t layer, int64_t logs) {
  PodUsage usage;
  usage.containers.push_back({.name = "c", .layer_inodes = layer, .logs_inodes = logs});
  return usage;
}

PodUsage process_use(int64_t number) { return {{}, {}, number}; }

TEST(Ranking, OfMemory) {
  Ranked pods;
  pods.add(pod("a", {{"memory", "4Gi"}}), memory_use(3 * kGi), -1);  // within its request
  pods.add(pod("b", {{"memory", "1Gi"}}), memory_use(2 * kGi), 5);
  pods.add(pod("c", {{"memory", "1Gi"}}), memory_use(2 * kGi));
  pods.add(pod("d", {{"memory", "2Gi"}}), memory_use(4 * kGi));  // more above its request
  pods.add(pod("e", {{"memory", "1Gi"}}), memory_use(kGi));      // equality is not above
  EXPECT_EQ(pods.order(Signal::kMemoryAvailable), "dcbae");
  EXPECT_EQ(pods.order(Signal::kAllocatableMemoryAvailable), "dcbae");
}

TEST(Ranking, WithoutStatisticsAPodGoesFirst) {
  Ranked pods;
  pods.add(pod("a"), memory_use(2 * kGi), -10);
  pods.add(pod("b"), PodUsage{});  // statistics without figures: 0 bytes
  pods.add(pod("c"), std::nullopt, 1000);
  EXPECT_EQ(pods.order(Signal::kMemoryAvailable), "cab");
  EXPECT_EQ(pods.order(Signal::kNodeFsAvailable), "cab");
}

TEST(Ranking, OfProcessesBeginsWithThePriority) {
  Ranked pods;
  pods.add(pod("a"), process_use(500));
  pods.add(pod("b"), std::nullopt, 1);
  pods.add(pod("c"), process_use(900), 1);
  pods.add(pod("d"), std::nullopt);
  pods.add(pod("e"), process_use(600));
  EXPECT_EQ(pods.order(Signal::kPidAvailable), "deabc");
}

TEST(Ranking, FromInodesTheRequestOfStorageIsSubtracted) {
  Ranked pods;
  pods.add(pod("a", {{"ephemeral-storage", "600"}}), inode_use(1000, 0));
  pods.add(pod("b"), inode_use(300, 200));
  pods.add(pod("c"), PodUsage{}, -5);  // uses none, so not more than it requests
  EXPECT_EQ(pods.order(Signal::kNodeFsInodesFree), "bac");
}

TEST(Ranking, OfDiskCountsWhatLiesThere) {
  Ranked pods;
  pods.add(pod("a"), disk_use(9 * kGi, kGi));
  pods.add(pod("b"), disk_use(kGi, 8 * kGi));
  EXPECT_EQ(pods.order(Signal::kNodeFsAvailable, Filesystems::kSingle), "ab");
  EXPECT_EQ(pods.order(Signal::kImageFsAvailable, Filesystems::kSingle), "ab");
  EXPECT_EQ(pods.order(Signal::kNodeFsAvailable, Filesystems::kImages), "ba");
  EXPECT_EQ(pods.order(Signal::kImageFsAvailable, Filesystems::kImages), "ab");
  EXPECT_EQ(pods.order(Signal::kContainerFsAvailable, Filesystems::kImages), "ab");
  EXPECT_EQ(pods.order(Signal::kNodeFsAvailable, Filesystems::kSplit), "ab");
  EXPECT_EQ(pods.order(Signal::kContainerFsAvailable, Filesystems::kSplit), "ab");
}

TEST(Ranking, OfImagesApartFromContainersOnlyRequestsDecide) {
  Ranked pods;
  pods.add(pod("a", {{"ephemeral-storage", "2Gi"}}), disk_use(9 * kGi, 0));
  pods.add(pod("b", {{"ephemeral-storage", "1Gi"}}), disk_use(0, 0));
  EXPECT_EQ(pods.order(Signal::kImageFsAvailable, Filesystems::kSplit), "ba");
}

TEST(Ranking, OnlyVolumesOnTheNodeCount) {
  const auto with_volume = [](std::string name, VolumeKind kind) {
    Pod one = pod(std::move(name));
    one.volumes.push_back({"v", kind, std::nullopt});
    return one;
  };
  PodUsage usage;
  usage.volumes.push_back({"v", 5 * kGi, 1});
  Ranked pods;
  pods.add(pod("a"), disk_use(kGi, 0));
  pods.add(with_volume("b", VolumeKind::kOther), usage);
  pods.add(with_volume("c", VolumeKind::kEmptyDirInMemory), usage);
  pods.add(with_volume("d", VolumeKind::kHostPath), usage);
  pods.add(with_volume("e", VolumeKind::kEmptyDir), usage);
  pods.add(with_volume("f", VolumeKind::kOtherEphemeral), usage);
  EXPECT_EQ(pods.order(Signal::kNodeFsAvailable), "defabc");
}

}  // namespace
}  // namespace berth::controllers::kubelet
