#include "plugins/node_volume_limits/node_volume_limits.h"

#include <gtest/gtest.h>

#include <deque>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Lists = std::vector<std::vector<uint64_t>>;
const Verdict kFits{};
const Verdict kExceeds{BERTH_UNSCHEDULABLE, {"node(s) exceed max volume count"}};

class NodeVolumeLimitsTest : public ::testing::Test {
 protected:
  uint64_t key(std::string_view name) { return uint64_t{host_.id("team")} << 32 | host_.id(name); }
  // A claim that is bound to a volume of the driver.
  uint64_t claim(std::string_view name, std::string_view driver, std::string_view plugin = "") {
    berth_claim made{};
    made.namespace_name = host_.id("team");
    made.name = host_.id(name);
    made.volume = host_.id(std::string("pv-") + std::string(name));
    host_.volumes.claims.push_back(made);
    berth_volume volume{};
    volume.name = made.volume;
    if (!driver.empty()) volume.csi_driver = host_.id(driver);
    if (!driver.empty()) volume.csi_handle = made.name;
    if (!plugin.empty()) volume.plugin = host_.id(plugin);
    if (!plugin.empty()) volume.plugin_handle = made.name;
    host_.volumes.volumes.push_back(volume);
    return key(name);
  }
  void limit(std::string_view node, std::string_view driver, int64_t most) {
    drivers_.push_back(host_.id(driver));
    limits_.push_back(most);
    berth_csi_node made{};
    made.name = host_.id(node);
    made.driver_count = 1;
    made.drivers = &drivers_.back();
    made.limits = &limits_.back();
    host_.volumes.csi_nodes.push_back(made);
  }
  // `there`: the claims of each node's pods; nodes are n0, n1, ...
  std::vector<Verdict> filter(std::vector<uint64_t> claims, const Lists& there) {
    return filter(plugin_, host_, std::move(claims), there);
  }
  static std::vector<Verdict> filter(Harness& plugin, FakeHost& host, std::vector<uint64_t> claims,
                                     const Lists& there) {
    const std::vector<uint32_t> owners(claims.size());
    std::vector<uint32_t> names;
    for (size_t i = 0; i < there.size(); ++i) names.push_back(host.id("n" + std::to_string(i)));
    return plugin.filter({{"pod.claims", Lists{std::move(claims)}},
                          {"pod.claim_owners", std::vector<std::vector<uint32_t>>{owners}},
                          {"pod.claim_owner_names", std::vector<std::vector<uint32_t>>{owners}},
                          {"pod.inline_volumes", Lists{{}}},
                          {"pod.volumes_version", std::vector<int64_t>{1}},
                          {"node.name", names},
                          {"node.claims", there},
                          {"node.inline_volumes", Lists(there.size())}});
  }

  std::deque<uint32_t> drivers_;
  std::deque<int64_t> limits_;
  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(NodeVolumeLimitsTest, CountsEachVolumeOnce) {
  const uint64_t mine = claim("mine", "csi.a"), other = claim("other", "csi.a");
  const uint64_t elsewhere = claim("elsewhere", "csi.b");
  for (const char* node : {"n0", "n1", "n2", "n3"}) limit(node, "csi.a", 1);
  // n4 has no CSINode.
  EXPECT_EQ(filter({mine}, {{}, {other}, {mine, mine}, {elsewhere}, {other, other}}),
            (std::vector{kFits, kExceeds, kFits, kFits, kFits}));
}

TEST_F(NodeVolumeLimitsTest, AttachmentsCount) {
  const uint64_t mine = claim("mine", "csi.a");
  claim("left", "csi.a");
  limit("n0", "csi.a", 1);
  limit("n1", "csi.a", 1);
  berth_volume_attachment attached{};
  attached.attacher = host_.id("csi.a");
  attached.node_name = host_.id("n0");
  attached.volume = host_.id("pv-left");
  host_.volumes.attachments.push_back(attached);
  EXPECT_EQ(filter({mine}, {{}, {}}), (std::vector{kExceeds, kFits}));
}

TEST_F(NodeVolumeLimitsTest, VolumesOfInTreePluginsCountForTheirDriver) {
  const uint64_t mine = claim("mine", "", "kubernetes.io/aws-ebs");
  const uint64_t other = claim("other", "ebs.csi.aws.com");
  limit("n0", "ebs.csi.aws.com", 1);
  limit("n1", "ebs.csi.aws.com", 1);
  EXPECT_EQ(filter({mine}, {{other}, {}}), (std::vector{kExceeds, kFits}));
}

// Two nodes are full, and the second one's CSINode names the plugin of Portworx.
TEST_F(NodeVolumeLimitsTest, VolumesOfPortworxCountByARuleOrWhereTheNodeNamesThePlugin) {
  const uint64_t mine = claim("mine", "", "kubernetes.io/portworx-volume");
  const uint64_t other = claim("other", "", "kubernetes.io/portworx-volume");
  limit("n0", "pxd.portworx.com", 1);
  limit("n1", "pxd.portworx.com", 1);
  host_.volumes.csi_nodes.back().migrated_plugins =
      host_.id("kubernetes.io/gce-pd,kubernetes.io/portworx-volume");
  EXPECT_EQ(filter({mine}, {{other}, {other}}), (std::vector{kFits, kExceeds}));
  host_.run.rules.insert("PortworxMigrated");
  Harness by_rule{host_};
  EXPECT_EQ(filter(by_rule, host_, {mine}, {{other}, {other}}), (std::vector{kExceeds, kExceeds}));
}

TEST_F(NodeVolumeLimitsTest, AMissingClaimRefusesThePodForGood) {
  const Verdict missing{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                        {"looking up PVC team/gone: persistentvolumeclaim \"gone\" not found"}};
  EXPECT_EQ(filter({key("gone")}, {{}}), (std::vector{missing}));
}

TEST_F(NodeVolumeLimitsTest, SkipsPodsWithoutVolumes) {
  EXPECT_EQ(plugin_.pre_filter({{"pod.claims", Lists{{}}}, {"pod.inline_volumes", Lists{{}}}}).code,
            BERTH_SKIP);
  EXPECT_EQ(
      plugin_.pre_filter({{"pod.claims", Lists{{key("a")}}}, {"pod.inline_volumes", Lists{{}}}})
          .code,
      BERTH_SUCCESS);
}

TEST_F(NodeVolumeLimitsTest, HintsFollowLimitsAndTheEndOfPodsAndAttachments) {
  const auto columns = [&](std::vector<uint64_t> claims, std::vector<uint32_t> owners,
                           std::vector<uint64_t> volumes) -> Columns {
    return {{"pod.claims", Lists{std::move(claims)}},
            {"pod.claim_owners", std::vector<std::vector<uint32_t>>{std::move(owners)}},
            {"pod.inline_volumes", Lists{std::move(volumes)}}};
  };
  const uint64_t ebs = uint64_t{host_.id("kubernetes.io/aws-ebs")} << 32 | host_.id("vol-1");
  const Columns bare = columns({}, {}, {}), inlined = columns({}, {}, {ebs}),
                mine = columns({key("data")}, {0}, {});
  const auto helps = [&](const Columns& refused, uint32_t kind, uint32_t action, const void* before,
                         const void* after) {
    HintEvent event;
    event.kind = kind;
    event.action = action;
    event.object_before = before;
    event.object_after = after;
    return plugin_.hint(refused, event);
  };
  limit("n0", "csi.example", 2);
  limit("n0", "csi.example", 3);
  limit("n0", "csi.other", 1);
  limit("n0", "csi.other", -1);
  const auto& nodes = host_.volumes.csi_nodes;
  const auto updated = [&](size_t before, size_t after) {
    return helps(mine, BERTH_ON_CSI_NODE, BERTH_DID_UPDATE_OTHER, &nodes[before], &nodes[after]);
  };
  EXPECT_TRUE(helps(mine, BERTH_ON_CSI_NODE, BERTH_DID_ADD, nullptr, &nodes[0]));
  EXPECT_TRUE(updated(0, 1));
  EXPECT_FALSE(updated(1, 0));
  EXPECT_TRUE(updated(0, 2));
  EXPECT_FALSE(updated(0, 3));
  claim("data", "csi.example");
  claim("more", "csi.example");
  const auto& claims = host_.volumes.claims;
  EXPECT_TRUE(helps(mine, BERTH_ON_CLAIM, BERTH_DID_ADD, nullptr, &claims[0]));
  EXPECT_FALSE(helps(mine, BERTH_ON_CLAIM, BERTH_DID_ADD, nullptr, &claims[1]));
  berth_volume_attachment attachment{};
  attachment.attacher = host_.id("ebs.csi.aws.com");
  const auto detached = [&](const Columns& refused) {
    return helps(refused, BERTH_ON_VOLUME_ATTACHMENT, BERTH_DID_DELETE, &attachment, nullptr);
  };
  EXPECT_TRUE(detached(mine));
  EXPECT_TRUE(detached(inlined));
  EXPECT_FALSE(detached(columns({key("data")}, {host_.id("uid")}, {})));
  attachment.attacher = host_.id("csi.example");
  EXPECT_FALSE(detached(inlined));
  HintEvent gone;
  gone.kind = BERTH_ON_POD_ASSIGNED;
  gone.action = BERTH_DID_DELETE;
  gone.node = host_.id("n0");
  gone.before = bare;
  EXPECT_FALSE(plugin_.hint(mine, gone));
  gone.before = inlined;
  EXPECT_TRUE(plugin_.hint(mine, gone));
  gone.node = 0;
  EXPECT_FALSE(plugin_.hint(mine, gone));
  gone.nominated_node = host_.id("n0");
  EXPECT_TRUE(plugin_.hint(mine, gone));
}

}  // namespace
}  // namespace berth::plugins::testing
