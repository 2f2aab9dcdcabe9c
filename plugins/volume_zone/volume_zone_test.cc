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
    host_.volumes.volumes.push_back(made);
    host_.volumes.labels[{made.name, host_.id(key)}] = host_.id(zones);
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

}  // namespace
}  // namespace berth::plugins::testing
