#include "plugins/volume_zone/volume_zone.h"

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

const Verdict kFits{};
const Verdict kConflict{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                        {"node(s) had no available volume zone"}};

class VolumeZoneTest : public ::testing::Test {
 protected:
  berth_claim& claim(std::string_view volume, std::string_view storage_class = "") {
    berth_claim made{};
    made.namespace_name = host_.id("team");
    made.name = host_.id("data");
    if (!volume.empty()) made.volume = host_.id(volume);
    if (!storage_class.empty()) made.storage_class = host_.id(storage_class);
    return host_.volumes.claims.emplace_back(made);
  }
  void volume(std::string_view name, std::string_view key, std::string_view zones) {
    berth_volume made{};
    made.name = host_.id(name);
    made.labels =
        host_.volumes.labels.emplace_back(std::array{host_.id(key), host_.id(zones)}).data();
    made.label_count = 1;
    host_.volumes.volumes.push_back(made);
  }
  Columns pod() {
    const uint64_t key = uint64_t{host_.id("team")} << 32 | host_.id("data");
    return {{"pod.claims", std::vector<std::vector<uint64_t>>{{key}}},
            {"pod.claim_owners", std::vector<std::vector<uint32_t>>{{0}}},
            {"pod.volumes_version", std::vector<int64_t>{1}}};
  }
  // `zones`, `beta_zones`: of the nodes; empty: no label.
  std::vector<Verdict> filter(const std::vector<std::string>& zones,
                              const std::vector<std::string>& beta_zones) {
    const auto ids = [&](const std::vector<std::string>& texts) {
      std::vector<uint32_t> all;
      for (const std::string& text : texts) all.push_back(text.empty() ? 0 : host_.id(text));
      return all;
    };
    Columns columns = pod();
    const std::vector<uint32_t> none(zones.size());
    columns.insert_or_assign("node.label:topology.kubernetes.io/zone", ids(zones));
    columns.insert_or_assign("node.label:failure-domain.beta.kubernetes.io/zone", ids(beta_zones));
    columns.insert_or_assign("node.label:topology.kubernetes.io/region", none);
    columns.insert_or_assign("node.label:failure-domain.beta.kubernetes.io/region", none);
    return plugin_.filter(columns);
  }
  std::string refusal() {
    const PreFilterAnswer answer = plugin_.pre_filter(pod());
    return answer.reasons.empty() ? "" : answer.reasons[0];
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(VolumeZoneTest, KeepsThePodInTheZonesOfItsVolume) {
  claim("disk");
  volume("disk", "topology.kubernetes.io/zone", "a__b");
  EXPECT_EQ(plugin_.pre_filter(pod()).code, BERTH_SUCCESS);
  EXPECT_EQ(filter({"a", "b", "c", ""}, {"", "", "", ""}),
            (std::vector{kFits, kFits, kConflict, kFits}));
}

TEST_F(VolumeZoneTest, ABetaLabelOfAVolumeIsComparedWithEitherLabelOfTheNode) {
  claim("disk");
  volume("disk", "failure-domain.beta.kubernetes.io/zone", "a");
  EXPECT_EQ(filter({"a", "c", "a"}, {"", "", "c"}), (std::vector{kFits, kConflict, kConflict}));
}

TEST_F(VolumeZoneTest, SkipsVolumesWithoutZones) {
  claim("disk");
  berth_volume plain{};
  plain.name = host_.id("disk");
  host_.volumes.volumes.push_back(plain);
  EXPECT_EQ(plugin_.pre_filter(pod()).code, BERTH_SKIP);
}

TEST_F(VolumeZoneTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal(), "persistentvolumeclaim \"data\" not found");
  berth_claim& made = claim("");
  EXPECT_EQ(refusal(), "PersistentVolumeClaim had no pv name and storageClass name");
  made.storage_class = host_.id("fast");
  EXPECT_EQ(refusal(), "storageclass.storage.k8s.io \"fast\" not found");
  berth_storage_class fast{};
  fast.name = host_.id("fast");
  host_.volumes.classes.push_back(fast);
  EXPECT_EQ(refusal(), "VolumeBindingMode not set for StorageClass \"fast\"");
  host_.volumes.classes[0].flags = BERTH_CLASS_HAS_BINDING_MODE;
  EXPECT_EQ(refusal(), "PersistentVolume had no name");
  host_.volumes.classes[0].flags |= BERTH_CLASS_WAITS;
  EXPECT_EQ(plugin_.pre_filter(pod()).code, BERTH_SKIP);
  made.volume = host_.id("disk");
  EXPECT_EQ(refusal(), "persistentvolume \"disk\" not found");
}

TEST_F(VolumeZoneTest, HintsFollowClaimsOfThePodZonesOfVolumesAndClassesThatWait) {
  const Columns refused = {{"pod.claims", pod().at("pod.claims")},
                           {"pod.claim_owners", pod().at("pod.claim_owners")}};
  const auto helps = [&](uint32_t kind, const void* before, const void* after) {
    HintEvent event;
    event.kind = kind;
    event.action = before == nullptr ? BERTH_DID_ADD : BERTH_DID_UPDATE_OTHER;
    event.object_before = before;
    event.object_after = after;
    return plugin_.hint(refused, event);
  };
  const berth_claim mine = claim("disk");
  berth_claim other = mine;
  other.namespace_name = host_.id("others");
  EXPECT_TRUE(helps(BERTH_ON_CLAIM, nullptr, &mine));
  EXPECT_TRUE(helps(BERTH_ON_CLAIM, &mine, &mine));
  EXPECT_FALSE(helps(BERTH_ON_CLAIM, nullptr, &other));
  volume("one", kZoneLabels[2], "a__b");
  volume("two", kZoneLabels[2], "b__a");
  volume("three", kZoneLabels[2], "c");
  const auto& volumes = host_.volumes.volumes;
  EXPECT_TRUE(helps(BERTH_ON_VOLUME, nullptr, &volumes[0]));
  EXPECT_FALSE(helps(BERTH_ON_VOLUME, &volumes[0], &volumes[1]));
  EXPECT_TRUE(helps(BERTH_ON_VOLUME, &volumes[0], &volumes[2]));
  berth_storage_class of{};
  EXPECT_FALSE(helps(BERTH_ON_STORAGE_CLASS, nullptr, &of));
  of.flags = BERTH_CLASS_WAITS;
  EXPECT_TRUE(helps(BERTH_ON_STORAGE_CLASS, nullptr, &of));
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), 0u);
  EXPECT_EQ(plugin_.actions(BERTH_ON_CSI_NODE), 0u);
}

}  // namespace
}  // namespace berth::plugins::testing
