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
    const std::vector<uint32_t> owners(claims.size());
    std::vector<uint32_t> names;
    for (size_t i = 0; i < there.size(); ++i) names.push_back(host_.id("n" + std::to_string(i)));
    return plugin_.filter({{"pod.claims", Lists{std::move(claims)}},
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

}  // namespace
}  // namespace berth::plugins::testing
