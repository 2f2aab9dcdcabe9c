#include "plugins/volume_restrictions/volume_restrictions.h"

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Lists = std::vector<std::vector<uint64_t>>;
const Verdict kFits{};
const Verdict kDisk{BERTH_UNSCHEDULABLE, {"node(s) had no available disk"}};
const Verdict kInUse{BERTH_UNSCHEDULABLE,
                     {"node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod "
                      "access mode already in-use by another pod"}};

class VolumeRestrictionsTest : public ::testing::Test {
 protected:
  uint64_t claim(std::string_view name, uint32_t modes, uint32_t flags = 0) {
    berth_claim made{};
    made.namespace_name = host_.id("team");
    made.name = host_.id(name);
    made.access_modes = modes;
    made.flags = flags;
    host_.volumes.claims.push_back(made);
    return key(name);
  }
  uint64_t key(std::string_view name) { return uint64_t{host_.id("team")} << 32 | host_.id(name); }
  uint64_t disk(std::string_view name, bool read_only) {
    return uint64_t{host_.id(name)} << 1 | uint64_t{read_only};
  }
  static Columns pod(std::vector<uint64_t> claims, std::vector<uint64_t> disks = {}) {
    const std::vector<uint32_t> owners(claims.size());
    return {{"pod.claims", Lists{std::move(claims)}},
            {"pod.claim_owners", std::vector<std::vector<uint32_t>>{owners}},
            {"pod.disks", Lists{std::move(disks)}},
            {"pod.volumes_version", std::vector<int64_t>{1}}};
  }
  std::vector<Verdict> filter(Columns columns, const Lists& used) {
    columns.insert_or_assign("node.disks", used);
    return plugin_.filter(columns);
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(VolumeRestrictionsTest, SkipsPodsThatShareNothing) {
  EXPECT_EQ(plugin_.pre_filter(pod({})).code, BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_filter(pod({claim("data", BERTH_READ_WRITE_ONCE, BERTH_CLAIM_USED)})).code,
            BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_filter(pod({}, {disk("gce a", true)})).code, BERTH_SUCCESS);
}

TEST_F(VolumeRestrictionsTest, RefusesPodsWithAClaimThatDoesNotExist) {
  const PreFilterAnswer answer = plugin_.pre_filter(pod({key("gone")}));
  EXPECT_EQ(answer.code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  EXPECT_EQ(answer.reasons, (std::vector<std::string>{"persistentvolumeclaim \"gone\" not found"}));
}

TEST_F(VolumeRestrictionsTest, ReadersShareADisk) {
  const uint64_t read = disk("gce a", true), written = disk("gce a", false);
  const Lists used = {{}, {read}, {written}, {disk("gce b", false)}};
  EXPECT_EQ(filter(pod({}, {read}), used), (std::vector{kFits, kFits, kDisk, kFits}));
  EXPECT_EQ(filter(pod({}, {written}), used), (std::vector{kFits, kDisk, kDisk, kFits}));
}

TEST_F(VolumeRestrictionsTest, AClaimForOnePodIsRefusedEverywhereWhileItIsUsed) {
  const uint64_t used = claim("one", BERTH_READ_WRITE_ONCE_POD, BERTH_CLAIM_USED);
  EXPECT_EQ(plugin_.pre_filter(pod({used})).code, BERTH_SUCCESS);
  EXPECT_EQ(filter(pod({used}), {{}, {}}), (std::vector{kInUse, kInUse}));
  const uint64_t free = claim("free", BERTH_READ_WRITE_ONCE_POD);
  EXPECT_EQ(plugin_.pre_filter(pod({free})).code, BERTH_SKIP);
}

TEST_F(VolumeRestrictionsTest, HintsFollowClaimsOfThePodAndTheEndOfPodsThatShareAVolume) {
  const auto refused = [&](std::string_view in, std::vector<uint64_t> claims,
                           std::vector<uint64_t> disks) {
    Columns made = pod(std::move(claims), std::move(disks));
    made.erase("pod.volumes_version");
    made.insert_or_assign("pod.namespace", std::vector<uint32_t>{host_.id(in)});
    return made;
  };
  const Columns waiting = refused("team", {key("data")}, {disk("gce\na", false)});
  const auto ends = [&](const Columns& gone) {
    HintEvent event;
    event.kind = BERTH_ON_POD_ASSIGNED;
    event.action = BERTH_DID_DELETE;
    event.before = gone;
    return plugin_.hint(waiting, event);
  };
  EXPECT_TRUE(ends(refused("team", {}, {disk("gce\na", true)})));
  EXPECT_FALSE(ends(refused("others", {}, {disk("gce\na", true)})));
  EXPECT_TRUE(ends(refused("team", {key("data")}, {})));
  EXPECT_FALSE(ends(refused("team", {key("more")}, {disk("gce\nb", false)})));
  HintEvent added;
  added.kind = BERTH_ON_CLAIM;
  added.action = BERTH_DID_ADD;
  claim("data", BERTH_READ_WRITE_ONCE);
  claim("more", BERTH_READ_WRITE_ONCE);
  added.object_after = &host_.volumes.claims[0];
  EXPECT_TRUE(plugin_.hint(waiting, added));
  added.object_after = &host_.volumes.claims[1];
  EXPECT_FALSE(plugin_.hint(waiting, added));
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD);
  EXPECT_EQ(plugin_.actions(BERTH_ON_VOLUME), 0u);
}

}  // namespace
}  // namespace berth::plugins::testing
