// With the hooks of EBSLimits.

#include "plugins/disk_limits/disk_limits.h"

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Lists = std::vector<std::vector<uint64_t>>;
const Verdict kFits{};
const Verdict kExceeds{BERTH_UNSCHEDULABLE, {"node(s) exceed max volume count"}};

class DiskLimitsTest : public ::testing::Test {
 protected:
  uint64_t disk(std::string_view handle, std::string_view plugin = kEbs.plugin) {
    return uint64_t{host_.id(plugin)} << 32 | host_.id(handle);
  }
  std::vector<uint64_t> disks(int first, int count) {
    std::vector<uint64_t> all;
    for (int i = 0; i < count; ++i) all.push_back(disk("vol-" + std::to_string(first + i)));
    return all;
  }
  uint64_t claim(std::string_view name, std::string_view volume, std::string_view of_class = "") {
    berth_claim made{};
    made.namespace_name = host_.id("team");
    made.name = host_.id(name);
    if (!volume.empty()) made.volume = host_.id(volume);
    if (!of_class.empty()) made.storage_class = host_.id(of_class);
    host_.volumes.claims.push_back(made);
    return sdk::key_of(made);
  }
  void volume(std::string_view name, std::string_view plugin, std::string_view csi = "") {
    berth_volume made{};
    made.name = host_.id(name);
    made.plugin = host_.id(plugin);
    made.plugin_handle = host_.id(name);
    if (!csi.empty()) made.csi_driver = host_.id(csi);
    host_.volumes.volumes.push_back(made);
  }
  struct Node {
    std::vector<uint64_t> claims, inline_volumes;
    int64_t own_limit = 0;
    const char* type = "";
    const char* former_type = "";
  };
  // Nodes are n0, n1, ...
  std::vector<Verdict> filter(std::vector<uint64_t> claims, std::vector<uint64_t> inline_volumes,
                              const std::vector<Node>& nodes) {
    std::vector<uint32_t> names, types, former;
    std::vector<int64_t> limits;
    Lists used_claims, used_inline;
    const auto type = [&](std::string_view text) { return text.empty() ? 0 : host_.id(text); };
    for (const Node& node : nodes) {
      names.push_back(host_.id("n" + std::to_string(names.size())));
      types.push_back(type(node.type));
      former.push_back(type(node.former_type));
      limits.push_back(node.own_limit);
      used_claims.push_back(node.claims);
      used_inline.push_back(node.inline_volumes);
    }
    return plugin_.filter({{"pod.claims", Lists{std::move(claims)}},
                           {"pod.inline_volumes", Lists{std::move(inline_volumes)}},
                           {"pod.volumes_version", std::vector<int64_t>{1}},
                           {"node.name", names},
                           {"node.claims", used_claims},
                           {"node.inline_volumes", used_inline},
                           {std::string(kEbs.own_limit), limits},
                           {"node.label:node.kubernetes.io/instance-type", types},
                           {"node.label:beta.kubernetes.io/instance-type", former}});
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(DiskLimitsTest, ANodeHasTheLimitThatItSaysOrThatOfItsType) {
  const std::vector<uint64_t> mine = {disk("mine")};
  EXPECT_EQ(filter({}, mine,
                   {{{}, disks(0, 38)},
                    {{}, disks(0, 39)},
                    {{}, disks(0, 24), 0, "m5.large"},
                    {{}, disks(0, 25), 0, "m5.large"},
                    {{}, disks(0, 25), 0, "", "t3.small"},
                    {{}, disks(0, 25), 0, "m4.large", "t3.small"},
                    {{}, disks(0, 1), 1},
                    {{}, disks(0, 39), 40}}),
            (std::vector{kFits, kExceeds, kFits, kExceeds, kExceeds, kFits, kExceeds, kFits}));
  EXPECT_TRUE(is_nitro("c5n.large") && is_nitro("xt3") && is_nitro("z1d.metal"));
  EXPECT_FALSE(is_nitro("x5") || is_nitro("m") || is_nitro("m6") || is_nitro(""));
}

TEST_F(DiskLimitsTest, EachDiskOfTheKindCountsOnce) {
  const uint64_t other = disk("mine", "kubernetes.io/gce-pd");
  const std::vector<uint64_t> mine = {disk("mine"), disk("mine")};
  EXPECT_EQ(filter({}, mine,
                   {{{}, {disk("a"), disk("a")}, 2},
                    {{}, {disk("a"), disk("b")}, 2},
                    {{}, {disk("a"), disk("mine")}, 2},
                    {{}, {disk("a"), other, other}, 2}}),
            (std::vector{kFits, kExceeds, kFits, kFits}));
  EXPECT_EQ(filter({}, {other}, {{{}, disks(0, 9), 1}}), (std::vector{kFits}));
  EXPECT_FALSE(plugin_.passed());
  EXPECT_EQ(filter({}, {}, {{{}, disks(0, 9), 1}}), (std::vector{kFits}));
  EXPECT_TRUE(plugin_.passed());
}

TEST_F(DiskLimitsTest, ClaimsCountByTheirVolumeOrTheProvisionerOfTheirClass) {
  volume("pv", kEbs.plugin);
  volume("moved", kEbs.plugin, "ebs.csi.aws.com");
  berth_storage_class of{};
  of.name = host_.id("gp2");
  of.provisioner = host_.id(kEbs.plugin);
  host_.volumes.classes.push_back(of);
  const uint64_t bound = claim("bound", "pv"), moved = claim("moved", "moved");
  const uint64_t waits = claim("waits", "", "gp2"), lost = claim("lost", "gone", "gp2");
  const uint64_t foreign = claim("foreign", "", "fast");
  const std::vector<Node> full = {{{}, {disk("a")}, 1}};
  EXPECT_EQ(filter({bound}, {}, full), (std::vector{kExceeds}));
  EXPECT_EQ(filter({waits}, {}, full), (std::vector{kExceeds}));
  EXPECT_EQ(filter({lost}, {}, full), (std::vector{kExceeds}));
  EXPECT_EQ(filter({moved}, {}, full), (std::vector{kFits}));
  EXPECT_EQ(filter({foreign}, {}, full), (std::vector{kFits}));
  // The same disk, once by its claim and once by its name.
  EXPECT_EQ(filter({bound}, {}, {{{}, {disk("pv")}, 1}, {{waits}, {}, 1}}),
            (std::vector{kFits, kExceeds}));
}

TEST_F(DiskLimitsTest, CsiNodesAreLeftToNodeVolumeLimits) {
  berth_csi_node node{};
  node.name = host_.id("n1");
  host_.volumes.csi_nodes.push_back(node);
  EXPECT_EQ(filter({}, {disk("mine")}, {{{}, {disk("a")}, 1}, {{}, {disk("a")}, 1}}),
            (std::vector{kExceeds, kFits}));
}

TEST_F(DiskLimitsTest, AMissingClaimRefusesThePodForGood) {
  const uint64_t gone = uint64_t{host_.id("team")} << 32 | host_.id("gone");
  const Verdict missing{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                        {"looking up PVC team/gone: persistentvolumeclaim \"gone\" not found"}};
  EXPECT_EQ(filter({gone}, {}, {{}}), (std::vector{missing}));
}

TEST_F(DiskLimitsTest, NewNodesAndTheEndOfPodsHelp) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), uint32_t{BERTH_DID_ADD});
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), uint32_t{BERTH_DID_DELETE});
  EXPECT_EQ(plugin_.actions(BERTH_ON_CSI_NODE), 0u);
  const berth_string name = Harness::descriptor().name;
  EXPECT_EQ(std::string_view(name.data, name.size), "EBSLimits");
}

}  // namespace
}  // namespace berth::plugins::testing
