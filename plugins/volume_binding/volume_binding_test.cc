#include "plugins/volume_binding/volume_binding.h"

#include <gtest/gtest.h>

#include "plugins/volume_binding/testing.h"

namespace berth::plugins::testing {
namespace {

const Verdict kFits{};

Verdict refused(std::vector<std::string> reasons) {
  return {BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, std::move(reasons)};
}
const Verdict kConflict = refused({"node(s) didn't match PersistentVolume's node affinity"});
const Verdict kNoBinding = refused({"node(s) didn't find available persistent volumes to bind"});
const Verdict kNoSpace = refused({"node(s) did not have enough free storage"});
const Verdict kNoVolumeThere =
    refused({"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"});

TEST_F(VolumeBindingTest, RefusesClaimsThatCannotBeUsed) {
  EXPECT_EQ(plugin_.pre_filter(pod({})).code, BERTH_SKIP);
  EXPECT_EQ(refusal("gone"), "persistentvolumeclaim \"gone\" not found");
  claim("lost", "").flags |= BERTH_CLAIM_LOST;
  EXPECT_EQ(refusal("lost"),
            "persistentvolumeclaim \"lost\" bound to non-existent persistentvolume \"\"");
  claim("going", "").flags |= BERTH_CLAIM_TERMINATING;
  EXPECT_EQ(refusal("going"), "persistentvolumeclaim \"going\" is being deleted");
  storage_class("now", "csi.a", false);
  claim("unbound", "now");
  EXPECT_EQ(refusal("unbound"), "pod has unbound immediate PersistentVolumeClaims");
}

TEST_F(VolumeBindingTest, BoundVolumesKeepThePodOnTheirNodes) {
  bound("data", "disk");
  volume("disk", 1);
  EXPECT_EQ(filter({key("data")}), (std::vector{kFits, kConflict}));
  bound("other", "no-disk");
  EXPECT_EQ(filter({key("other")}), (std::vector{kNoVolumeThere, kNoVolumeThere}));
  EXPECT_EQ(filter({key("data"), key("other")}), (std::vector{kNoVolumeThere, kConflict}));
  bound("second", "disk-2");
  volume("disk-2", 2);
  EXPECT_EQ(filter({key("second"), key("data")}), (std::vector{kConflict, kConflict}));
}

TEST_F(VolumeBindingTest, AnUnboundClaimNeedsAVolumeThatSuits) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("data", "local", 2);
  volume("small", 1, 1);
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoBinding, kNoBinding}));
  volume("large", 2, 3);
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoBinding, kFits}));
  host_.volumes.volumes[1].flags = BERTH_VOLUME_AVAILABLE | BERTH_VOLUME_BLOCK;
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoBinding, kNoBinding}));
}

TEST_F(VolumeBindingTest, TwoClaimsNeedTwoVolumes) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("a", "local");
  claim("b", "local");
  volume("one", 1);
  EXPECT_EQ(filter({key("a"), key("b")}), (std::vector{kNoBinding, kNoBinding}));
  volume("two", 1);
  EXPECT_EQ(filter({key("a"), key("b")}), (std::vector{kFits, kNoBinding}));
}

TEST_F(VolumeBindingTest, AReservedVolumeIsTheOnlyOneForItsClaim) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("data", "local");
  volume("any", 2);
  berth_volume& mine = volume("mine", 1);
  mine.flags |= BERTH_VOLUME_HAS_CLAIM;
  mine.claim_namespace = host_.id("team");
  mine.claim_name = host_.id("data");
  claim("other", "local");
  EXPECT_EQ(filter({key("other")}), (std::vector{kNoBinding, kFits}));
  EXPECT_EQ(filter({key("data")})[0], kFits);
}

TEST_F(VolumeBindingTest, VolumesAreMadeWhereTheClassAllows) {
  storage_class("made", "csi.a").allowed_topologies = 2;
  claim("data", "made");
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoBinding, kFits}));
  host_.volumes.claims[0].selected_node = host_.id("n0");
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoBinding, kNoBinding}));
}

TEST_F(VolumeBindingTest, CapacityCountsForDriversThatPublishIt) {
  storage_class("made", "csi.a");
  claim("data", "made", 5);
  driver("csi.a").storage_capacity = 0;
  EXPECT_EQ(filter({key("data")}), (std::vector{kFits, kFits}));
  host_.volumes.csi_drivers[0].storage_capacity = 1;
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoSpace, kNoSpace}));
  capacity("made", 1, 5);
  EXPECT_EQ(filter({key("data")}), (std::vector{kFits, kNoSpace}));
  host_.volumes.capacities[0].limit = 4;
  EXPECT_EQ(filter({key("data")}), (std::vector{kNoSpace, kNoSpace}));
}

TEST_F(VolumeBindingTest, ReserveWritesAndUnreserveTakesBack) {
  storage_class("local", "csi.a");
  claim("a", "local", 2);
  claim("b", "local", 1);
  volume("large", 1, 9);
  volume("fits", 1, 2);
  Columns placement = on_node("n0", {key("a"), key("b")});
  EXPECT_EQ(plugin_.reserve(placement), (std::vector<uint8_t>{BERTH_SUCCESS}));
  // The smaller claim chooses first.
  EXPECT_EQ(host_.volumes.assumed_volumes,
            (std::map<uint32_t, uint32_t>{{host_.id("fits"), host_.id("b")},
                                          {host_.id("large"), host_.id("a")}}));
  plugin_.unreserve(placement);
  plugin_.unreserve(placement);
  EXPECT_TRUE(host_.volumes.assumed_volumes.empty());

  placement.insert_or_assign("node.name", std::vector<uint32_t>{host_.id("n1")});
  plugin_.reserve(placement);
  EXPECT_EQ(host_.volumes.assumed_claims,
            (std::map<uint32_t, uint32_t>{{host_.id("a"), host_.id("n1")},
                                          {host_.id("b"), host_.id("n1")}}));
}

constexpr int64_t kSecond = 1'000'000'000;

TEST_F(VolumeBindingTest, PreBindWritesAndWaitsUntilTheClaimsAreBound) {
  storage_class("made", "csi.a");
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("a", "made");
  claim("b", "local");
  volume("disk", 1);
  const Columns placement = on_node("n0", {key("a"), key("b")});
  EXPECT_EQ(plugin_.pre_flight(placement), std::vector<uint8_t>{BERTH_SKIP});
  plugin_.reserve(placement);
  EXPECT_EQ(plugin_.pre_flight(placement), std::vector<uint8_t>{BERTH_SUCCESS});
  const std::vector<uint8_t> waits{BERTH_WAIT};
  EXPECT_EQ(plugin_.pre_bind(placement, 0), waits);
  EXPECT_EQ(host_.volumes.sent_claims,
            (std::map<uint32_t, uint32_t>{{host_.id("a"), host_.id("n0")}}));
  EXPECT_EQ(host_.volumes.sent_volumes,
            (std::map<uint32_t, uint32_t>{{host_.id("disk"), host_.id("b")}}));
  host_.volumes.sent_claims.clear();
  host_.volumes.claims[0].selected_node = host_.id("n0");
  berth_volume& disk = host_.volumes.volumes[0];
  disk.flags |= BERTH_VOLUME_HAS_CLAIM;
  disk.claim_namespace = host_.id("team");
  disk.claim_name = host_.id("b");
  EXPECT_EQ(plugin_.pre_bind(placement, kSecond), waits);
  EXPECT_TRUE(host_.volumes.sent_claims.empty()) << "it is written once";
  for (berth_claim& one : host_.volumes.claims) {
    one.volume = host_.id("disk");
    EXPECT_EQ(plugin_.pre_bind(placement, 2 * kSecond), waits);
    one.flags |= BERTH_CLAIM_BIND_COMPLETED;
  }
  EXPECT_EQ(plugin_.pre_bind(placement, 3 * kSecond), std::vector<uint8_t>{BERTH_SUCCESS});
  EXPECT_EQ(plugin_.pre_flight(placement), std::vector<uint8_t>{BERTH_SKIP}) << "nothing is kept";
  plugin_.unreserve(placement);
}

TEST_F(VolumeBindingTest, PreBindFailsWhereTheClaimCannotBeBoundAnyMore) {
  storage_class("made", "csi.a");
  claim("a", "made");
  const Columns placement = on_node("n0", {key("a")});
  const auto answer = [&] { return plugin_.pre_bind(placement, kSecond)[0]; };
  plugin_.reserve(placement);
  plugin_.pre_bind(placement, 0);
  EXPECT_EQ(answer(), BERTH_ERROR);
  EXPECT_EQ(plugin_.error(), "binding volumes: provisioning failed for PVC \"a\"");
  berth_claim& mine = host_.volumes.claims[0];
  mine.selected_node = host_.id("n0");
  mine.volume = host_.id("pv");
  EXPECT_EQ(answer(), BERTH_WAIT) << "the volume may come";
  volume("pv", 2);
  EXPECT_EQ(answer(), BERTH_ERROR);
  EXPECT_EQ(plugin_.error(),
            "binding volumes: pv \"pv\" node affinity doesn't match node \"n0\": no matching "
            "NodeSelectorTerms");
  EXPECT_EQ(plugin_.pre_bind(placement, 600 * kSecond)[0], BERTH_ERROR);
  host_.volumes.volumes[0].node_affinity = 0;
  EXPECT_EQ(plugin_.pre_bind(placement, 599 * kSecond)[0], BERTH_WAIT);
  EXPECT_EQ(plugin_.pre_bind(placement, 600 * kSecond)[0], BERTH_ERROR);
  EXPECT_EQ(plugin_.error(), "binding volumes: context deadline exceeded");
  host_.volumes.claims.clear();
  EXPECT_EQ(answer(), BERTH_ERROR);
  EXPECT_EQ(plugin_.error(),
            "binding volumes: failed to check provisioning pvc: could not find "
            "v1.PersistentVolumeClaim \"team/a\"");
}

TEST_F(VolumeBindingTest, PreBindFailsWhereAVolumeIsTakenAway) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("a", "local").uid = host_.id("uid");
  volume("disk", 1);
  const Columns placement = on_node("n0", {key("a")});
  plugin_.reserve(placement);
  host_.volumes.refuses_writes = true;
  EXPECT_EQ(plugin_.pre_bind(placement, 0)[0], BERTH_ERROR);
  EXPECT_EQ(plugin_.error(),
            "Operation cannot be fulfilled on persistentvolumes \"disk\": the object has been "
            "modified; please apply your changes to the latest version and try again");
  host_.volumes.refuses_writes = false;
  plugin_.unreserve(placement);
  plugin_.reserve(placement);
  EXPECT_EQ(plugin_.pre_bind(placement, 0)[0], BERTH_WAIT);
  EXPECT_EQ(plugin_.pre_bind(placement, kSecond)[0], BERTH_ERROR);
  EXPECT_EQ(plugin_.error(), "binding volumes: ClaimRef got reset for pv \"disk\"");
  berth_volume& disk = host_.volumes.volumes.front();
  disk.flags |= BERTH_VOLUME_HAS_CLAIM;
  disk.claim_namespace = host_.id("team");
  disk.claim_name = host_.id("a");
  disk.claim_uid = host_.id("another uid");
  EXPECT_EQ(plugin_.pre_bind(placement, kSecond)[0], BERTH_ERROR);
  EXPECT_EQ(plugin_.error(),
            "binding volumes: Operation cannot be fulfilled on persistentvolumes \"disk\": the "
            "object has been modified; please apply your changes to the latest version and try "
            "again");
  host_.volumes.volumes.clear();
  EXPECT_EQ(plugin_.pre_bind(placement, kSecond)[0], BERTH_ERROR);
  EXPECT_EQ(plugin_.error(),
            "binding volumes: failed to check binding: could not find v1.PersistentVolume "
            "\"disk\"");
}

TEST_F(VolumeBindingTest, TheTimeToBindIsAnArgument) {
  storage_class("made", "csi.a");
  claim("a", "made");
  const Columns placement = on_node("n0", {key("a")});
  Harness none(host_, R"({"bindTimeoutSeconds": 0})");
  none.reserve(placement);
  EXPECT_EQ(none.pre_bind(placement, 0)[0], BERTH_ERROR);
  EXPECT_EQ(none.error(), "binding volumes: context deadline exceeded");
  EXPECT_FALSE(host_.volumes.sent_claims.empty());
  Harness hour(host_, R"({"bindTimeoutSeconds": 3600})");
  EXPECT_EQ(hour.table<berth_pre_bind>(BERTH_PRE_BIND)->wait_limit_nanoseconds, 3600 * kSecond);
}

TEST_F(VolumeBindingTest, ArgumentsAreChecked) {
  EXPECT_TRUE(Harness::validate(R"({"bindTimeoutSeconds": 30})").empty());
  EXPECT_EQ(Harness::validate(R"({"bindTimeoutSeconds": -1})").size(), 1u);
}

TEST_F(VolumeBindingTest, HintsFollowTheObjectsThatClaimsOfThePodNeed) {
  const Columns refused = {
      {"pod.claims", Lists{{key("data")}}},
      {"pod.csi_drivers", std::vector<std::vector<uint32_t>>{{host_.id("csi")}}}};
  const auto helps = [&](uint32_t kind, const void* before, const void* after) {
    HintEvent event;
    event.kind = kind;
    event.action = before == nullptr ? BERTH_DID_ADD : BERTH_DID_UPDATE_OTHER;
    event.object_before = before;
    event.object_after = after;
    return plugin_.hint(refused, event);
  };
  berth_claim mine{}, other{};
  mine.namespace_name = other.namespace_name = host_.id("team");
  mine.name = host_.id("data");
  other.name = host_.id("more");
  EXPECT_TRUE(helps(BERTH_ON_CLAIM, &mine, &mine));
  EXPECT_FALSE(helps(BERTH_ON_CLAIM, &other, &other));
  berth_volume volume{};
  EXPECT_TRUE(helps(BERTH_ON_VOLUME, &volume, &volume));
  berth_storage_class anywhere{}, somewhere{};
  somewhere.allowed_topologies = 1;
  EXPECT_TRUE(helps(BERTH_ON_STORAGE_CLASS, nullptr, &anywhere));
  EXPECT_TRUE(helps(BERTH_ON_STORAGE_CLASS, &anywhere, &somewhere));
  EXPECT_FALSE(helps(BERTH_ON_STORAGE_CLASS, &somewhere, &somewhere));
  berth_csi_node node{}, migrated{};
  migrated.migrated_plugins = host_.id("kubernetes.io/aws-ebs");
  EXPECT_TRUE(helps(BERTH_ON_CSI_NODE, nullptr, &node));
  EXPECT_TRUE(helps(BERTH_ON_CSI_NODE, &node, &migrated));
  EXPECT_FALSE(helps(BERTH_ON_CSI_NODE, &migrated, &migrated));
  berth_csi_capacity unknown{}, small{}, large{};
  small.flags = large.flags = BERTH_CAPACITY_HAS_LIMIT;
  small.limit = 1;
  large.limit = 2;
  EXPECT_TRUE(helps(BERTH_ON_CSI_CAPACITY, nullptr, &unknown));
  EXPECT_TRUE(helps(BERTH_ON_CSI_CAPACITY, &unknown, &small));
  EXPECT_TRUE(helps(BERTH_ON_CSI_CAPACITY, &small, &large));
  EXPECT_FALSE(helps(BERTH_ON_CSI_CAPACITY, &large, &small));
  EXPECT_FALSE(helps(BERTH_ON_CSI_CAPACITY, &small, &unknown));
  berth_csi_driver counts{}, ignores{};
  counts.name = ignores.name = host_.id("csi");
  counts.storage_capacity = 1;
  EXPECT_TRUE(helps(BERTH_ON_CSI_DRIVER, &counts, &ignores));
  EXPECT_FALSE(helps(BERTH_ON_CSI_DRIVER, &ignores, &counts));
  counts.name = ignores.name = host_.id("csi-2");
  EXPECT_FALSE(helps(BERTH_ON_CSI_DRIVER, &counts, &ignores));
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(plugin_.actions(BERTH_ON_CSI_DRIVER), BERTH_DID_UPDATE_OTHER);
  EXPECT_EQ(plugin_.actions(BERTH_ON_VOLUME_ATTACHMENT), 0u);
}

}  // namespace
}  // namespace berth::plugins::testing
