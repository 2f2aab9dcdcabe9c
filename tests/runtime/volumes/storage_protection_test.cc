// Claims and volumes in use stay until they are not, where Berth plays a cluster's controllers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class StorageProtectionTest : public CoreTest {
 protected:
  void begin() {
    start();
    keep_lines();
    apply(model::added(node("a")));
  }
  // Bound to the volume "disk", and without a UID, as a file of manifests has it.
  static model::PersistentVolumeClaim written_claim() {
    model::PersistentVolumeClaim made;
    made.namespace_name = "default";
    made.name = "data";
    made.volume_name = "disk";
    made.bind_completed = true;
    made.access_modes = {"ReadWriteOnce"};
    made.storage = 5;
    return made;
  }
  static model::PersistentVolume written_volume() {
    model::PersistentVolume made;
    made.name = "disk";
    made.has_claim = true;
    made.claim_namespace = "default";
    made.claim_name = "data";
    made.access_modes = {"ReadWriteOnce"};
    made.storage = 5;
    return made;
  }
  void put_both() {
    apply(model::added(written_claim()));
    apply(model::added(written_volume()));
  }
  static model::Pod user(const std::string& name, bool ephemeral = false) {
    model::Pod made = pod(name);
    model::PodVolume& volume = made.spec.volumes.emplace_back();
    volume.is_claim = true;
    volume.ephemeral = ephemeral;
    volume.claim = "data";
    return made;
  }
  void remove(const std::string& name) { apply(model::deleted_pod("default", name)); }
  std::optional<model::PersistentVolumeClaim> claim(const std::string& name = "data") {
    const model::Strings& strings = cluster().strings();
    return cluster().volumes().claim_object(strings.find("default"), strings.find(name));
  }
  std::optional<model::PersistentVolume> volume() {
    return cluster().volumes().volume_object(cluster().strings().find("disk"));
  }
};

TEST_F(StorageProtectionTest, AClaimInUseTerminatesUntilItsLastPodLeaves) {
  begin();
  put_both();
  schedule({user("p"), user("q")});
  apply(model::deleted(written_claim()));
  ASSERT_TRUE(claim());
  EXPECT_TRUE(claim()->terminating);
  take();
  schedule({user("late")});
  EXPECT_THAT(take(), ElementsAre(HasSubstr("persistentvolumeclaim \"data\" is being deleted")));
  remove("p");
  core->settle();
  EXPECT_TRUE(claim());
  remove("q");
  schedule({user("later")});
  EXPECT_FALSE(claim()) << "a pod without a node does not use its claim";
  EXPECT_THAT(take(),
              testing::Contains(AllOf(StartsWith("later"),
                                      HasSubstr("persistentvolumeclaim \"data\" not found"))));
}

TEST_F(StorageProtectionTest, AnUnusedClaimGoesAtOnce) {
  begin();
  put_both();
  apply(model::deleted(written_claim()));
  EXPECT_FALSE(claim());
}

TEST_F(StorageProtectionTest, AClaimThatIsMarkedGoesWithItsLastPod) {
  begin();
  put_both();
  schedule({user("p")});
  model::PersistentVolumeClaim marked = written_claim();
  marked.terminating = true;
  apply(model::modified(marked));
  core->settle();
  EXPECT_TRUE(claim());
  // Time passes for the pod's grace period.
  server->delete_pod(find("p"), core->now() + std::chrono::seconds(30));
  core->advance_to(core->now() + std::chrono::seconds(29));
  EXPECT_TRUE(claim());
  core->advance_to(core->now() + std::chrono::seconds(1));
  EXPECT_FALSE(claim());
}

TEST_F(StorageProtectionTest, AClaimThatIsMarkedNoLongerStays) {
  begin();
  put_both();
  schedule({user("p")});
  apply(model::deleted(written_claim()));
  apply(model::modified(written_claim()));
  remove("p");
  core->settle();
  EXPECT_TRUE(claim());
}

// Its API server protects it, and says when it is gone.
TEST_F(StorageProtectionTest, AClaimOfAnApiServerIsAsItSays) {
  begin();
  model::PersistentVolumeClaim real = written_claim();
  real.uid = "4711";
  apply(model::added(real));
  model::PersistentVolume volume_of_it = written_volume();
  volume_of_it.claim_uid = "4711";
  apply(model::added(volume_of_it));
  schedule({user("p")});
  ASSERT_TRUE(is_placed("p"));
  real.terminating = true;
  apply(model::modified(real));
  remove("p");
  core->settle();
  EXPECT_TRUE(claim());
  schedule({});
  apply(model::deleted(volume_of_it));
  EXPECT_FALSE(volume());
  apply(model::deleted(real));
  EXPECT_FALSE(claim());
  EXPECT_EQ(core->diagnostics().count(), 0u);
}

TEST_F(StorageProtectionTest, AVolumeStaysAsLongAsItsClaimIsBoundToIt) {
  begin();
  put_both();
  model::PersistentVolume named;
  named.name = "disk";
  apply(model::deleted(named));
  ASSERT_TRUE(volume());
  EXPECT_TRUE(volume()->terminating);
  schedule({user("p")});
  EXPECT_TRUE(is_placed("p")) << "a volume that terminates is still its claim's";
  apply(model::deleted(written_claim()));
  EXPECT_TRUE(volume());
  remove("p");
  core->settle();
  EXPECT_FALSE(claim());
  EXPECT_FALSE(volume());
}

TEST_F(StorageProtectionTest, TheClaimOfAnEphemeralVolumeIsUsedByItsOwner) {
  begin();
  model::PersistentVolumeClaim own = written_claim();
  own.name = "p-data";
  own.uid = "made";
  own.owner_uid = "uid-p";
  own.volume_name = "disk";
  apply(model::added(own));
  model::PersistentVolume disk = written_volume();
  disk.claim_name = "p-data";
  apply(model::added(disk));
  schedule({user("p", true)});
  ASSERT_TRUE(is_placed("p"));
  own.uid.clear();
  apply(model::deleted(own));
  ASSERT_TRUE(claim("p-data"));
  EXPECT_TRUE(claim("p-data")->terminating);
  remove("p");
  core->settle();
  EXPECT_FALSE(claim("p-data"));
}

TEST_F(StorageProtectionTest, WithoutControllersTheInputDecides) {
  volumes.reset();
  begin();
  put_both();
  schedule({user("p")});
  apply(model::deleted(written_claim()));
  EXPECT_FALSE(claim());
}

}  // namespace
}  // namespace berth::tests
