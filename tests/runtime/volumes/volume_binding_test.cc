// Pods with claims from Reserve to the binding: VolumeBinding waits in PreBind for the controller
// of volumes, or for events that take its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kZone = "topology.kubernetes.io/zone";

class VolumeBindingCycleTest : public CoreTest {
 protected:
  // Nodes a1, a2 and b1, b2 in zones a and b, where the driver csi.a makes volumes for a zone.
  void start_with_volumes(
      const std::string& profiles = R"([{"schedulerName":"default-scheduler"}])") {
    start(profiles);
    keep_lines();
    for (const char* name : {"a1", "a2", "b1", "b2"}) {
      model::Node made = node(name, 10);
      made.labels = {{kZone, std::string(1, name[0])}};
      apply(model::added(made));
      model::CsiNode csi;
      csi.name = name;
      csi.drivers = {{"csi.a", {}, {kZone}}};
      put(csi);
    }
    storage_class("made", "csi.a", true);
    storage_class("local", "kubernetes.io/no-provisioner", true);
    storage_class("now", "csi.a", false);
  }
  void put(const model::VolumeObject& object) { apply(model::added(object)); }
  void storage_class(const std::string& name, const std::string& provisioner, bool waits) {
    model::StorageClass made;
    made.name = name;
    made.provisioner = provisioner;
    made.has_binding_mode = true;
    made.waits = waits;
    put(made);
  }
  static model::PersistentVolumeClaim claim_of(const std::string& name, const std::string& of) {
    model::PersistentVolumeClaim made;
    made.namespace_name = "default";
    made.name = name;
    made.uid = "uid-" + name;
    made.storage_class = of;
    made.access_modes = {"ReadWriteOnce"};
    made.storage = 5;
    return made;
  }
  void claim(const std::string& name, const std::string& of) { put(claim_of(name, of)); }
  void local_volume(const std::string& name, const std::string& zone) {
    model::PersistentVolume made;
    made.name = name;
    made.storage_class = "local";
    made.access_modes = {"ReadWriteOnce"};
    made.storage = 5;
    made.available = true;
    made.node_affinity = model::NodeSelector{{{{{kZone, "In", {zone}}}, {}}}};
    put(made);
  }
  // A pod with these claims.
  static model::Pod with(const std::string& name, const std::vector<std::string>& claims) {
    model::Pod made = pod(name);
    for (const std::string& claim : claims) {
      model::PodVolume volume;
      volume.is_claim = true;
      volume.claim = claim;
      made.spec.volumes.push_back(volume);
    }
    return made;
  }
  static model::Pod on(model::Pod made, const std::string& node) {
    made.spec.node_selector = {};
    model::NodeSelectorTerm term;
    term.match_fields = {{"metadata.name", "In", {node}}};
    made.spec.affinity.node_required = model::NodeSelector{{term}};
    return made;
  }
  model::Volumes& all() { return cluster().volumes(); }
  model::PersistentVolumeClaim claim_now(const std::string& name) {
    return *all().claim_object(cluster().strings().find("default"), cluster().strings().find(name));
  }
  std::optional<model::PersistentVolume> volume_now(const std::string& name) {
    return all().volume_object(cluster().strings().find(name));
  }
};

TEST_F(VolumeBindingCycleTest, AStaticVolumeIsBoundBeforeThePod) {
  start_with_volumes();
  claim("data", "local");
  local_volume("disk", "b");
  schedule({with("p", {"data"})});
  EXPECT_THAT(take(), ElementsAre("p on b1", "p waits for VolumeBinding"));
  EXPECT_EQ(volume_now("disk")->claim_uid, "uid-data") << "PreBind wrote it";
  EXPECT_FALSE(claim_now("data").bind_completed);
  EXPECT_EQ(all().assumed(), 0u);
  core->advance_to(milliseconds(999));
  EXPECT_THAT(take(), IsEmpty());
  core->advance_to(seconds(1));
  EXPECT_THAT(take(), ElementsAre("p bound to b1"));
  EXPECT_THAT(bindings.all, ElementsAre("p@b1"));
  EXPECT_TRUE(claim_now("data").bind_completed);
  EXPECT_EQ(claim_now("data").volume_name, "disk");
  EXPECT_FALSE(volume_now("disk")->available);
  EXPECT_FALSE(core->unfinished());
}

TEST_F(VolumeBindingCycleTest, AVolumeIsProvisionedForTheSelectedNode) {
  volumes->delay = seconds(5);
  start_with_volumes();
  claim("data", "made");
  schedule({on(with("p", {"data"}), "b1")});
  EXPECT_EQ(claim_now("data").selected_node, "b1");
  core->advance_to(milliseconds(4999));
  EXPECT_THAT(bindings.all, IsEmpty());
  core->advance_to(seconds(5));
  EXPECT_THAT(bindings.all, ElementsAre("p@b1"));
  const std::optional<model::PersistentVolume> made = volume_now("pvc-uid-data");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->storage, 5);
  EXPECT_EQ(made->csi_driver, "csi.a");
  EXPECT_EQ(made->node_affinity->terms[0].match_expressions,
            (std::vector<model::Requirement>{{kZone, "In", {"b"}}}));
  // The second pod of the claim goes where the volume reaches, not to the selected node alone.
  take();
  schedule({on(with("q", {"data"}), "b2")});
  EXPECT_THAT(take(), ElementsAre("q on b2", "q bound to b2"));
  schedule({on(with("r", {"data"}), "a1")});
  EXPECT_THAT(take(), Contains(StartsWith("r 0/4 nodes are available")));
}

TEST_F(VolumeBindingCycleTest, PodsOfOneClaimShareWhatIsDecided) {
  start_with_volumes();
  claim("data", "made");
  arrive({with("p", {"data"}), with("q", {"data"})});
  core->step();
  EXPECT_EQ(all().assumed(), 1u);
  core->step();
  EXPECT_EQ(all().assumed(), 1u);
  EXPECT_TRUE(is_placed("q"));
  apply(model::deleted_pod("default", "q"));
  EXPECT_EQ(claim_now("data").selected_node, "a1") << "p wrote it";
  core->settle();
  core->advance_to(seconds(1));
  EXPECT_THAT(bindings.all, ElementsAre("p@a1"));
}

TEST_F(VolumeBindingCycleTest, AnImmediateClaimIsBoundWhileItsPodIsUnschedulable) {
  start_with_volumes();
  claim("data", "now");
  schedule({with("p", {"data"})});
  EXPECT_THAT(take(), ElementsAre(StartsWith("p 0/4 nodes are available: pod has unbound "
                                             "immediate PersistentVolumeClaims.")));
  EXPECT_EQ(core->next_due(), seconds(1));
  EXPECT_TRUE(core->unfinished());
  core->advance_to(seconds(1));
  EXPECT_TRUE(volume_now("pvc-uid-data"));
  core->advance_to(seconds(2));
  core->run_until_idle();
  EXPECT_EQ(bindings.all.size(), 1u);
}

TEST_F(VolumeBindingCycleTest, AFailedProvisioningSendsThePodBack) {
  volumes->failure_percent = 100;
  start_with_volumes();
  claim("data", "made");
  schedule({with("p", {"data"})});
  take();
  core->advance_to(seconds(1));
  EXPECT_THAT(take(), ElementsAre("p failed: running PreBind plugin \"VolumeBinding\": binding "
                                  "volumes: provisioning failed for PVC \"data\""));
  EXPECT_FALSE(claim_now("data").has_selected_node);
  EXPECT_EQ(all().assumed(), 0u);
  EXPECT_FALSE(is_placed("p"));
  EXPECT_EQ(place("p"), queue::Place::kErrorBackoff);
  core->advance_to(seconds(4));
  core->run_until_idle();
  EXPECT_THAT(take(), ElementsAre("p on a1", "p waits for VolumeBinding"));
}

TEST_F(VolumeBindingCycleTest, WithoutAControllerTheTimeToBindEnds) {
  volumes.reset();
  start_with_volumes(
      R"([{"schedulerName":"default-scheduler","pluginConfig":[{"name":"VolumeBinding",)"
      R"("args":{"bindTimeoutSeconds":1200}}]}])");
  claim("data", "made");
  schedule({with("p", {"data"})});
  take();
  core->advance_to(seconds(1199));
  EXPECT_THAT(take(), IsEmpty());
  core->advance_to(seconds(1200));
  EXPECT_THAT(take(), ElementsAre("p failed: running PreBind plugin \"VolumeBinding\": binding "
                                  "volumes: context deadline exceeded"));
  EXPECT_EQ(claim_now("data").selected_node, "a1") << "what was written stays";
  EXPECT_EQ(place("p"), queue::Place::kErrorBackoff);
}

TEST_F(VolumeBindingCycleTest, WithoutAControllerEventsBind) {
  volumes.reset();
  start_with_volumes();
  claim("data", "local");
  local_volume("disk", "a");
  schedule({with("p", {"data"})});
  take();
  model::PersistentVolumeClaim bound = claim_of("data", "local");
  bound.volume_name = "disk";
  bound.bind_completed = true;
  put(bound);
  EXPECT_THAT(take(), IsEmpty()) << "PreBind looks each second";
  core->advance_to(seconds(1));
  EXPECT_THAT(take(), ElementsAre("p bound to a1"));
}

TEST_F(VolumeBindingCycleTest, AClaimThatChangedMeanwhileIsAConflict) {
  start_with_volumes();
  claim("data", "made");
  arrive({with("p", {"data"})});
  core->step();
  put(claim_of("data", "made"));
  core->settle();
  EXPECT_THAT(take(),
              Contains("p failed: running PreBind plugin \"VolumeBinding\": Operation cannot be "
                       "fulfilled on persistentvolumeclaims \"data\": the object has been "
                       "modified; please apply your changes to the latest version and try again"));
  EXPECT_EQ(all().assumed(), 0u);
}

TEST_F(VolumeBindingCycleTest, NothingIsKeptOfManyPods) {
  start_with_volumes();
  constexpr int kPods = 40;
  std::vector<model::Pod> pods;
  for (int i = 0; i < kPods; ++i) {
    const std::string number = std::to_string(i);
    claim("c" + number, i % 2 == 0 ? "made" : "local");
    if (i % 2 != 0) local_volume("disk-" + number, i % 4 == 1 ? "a" : "b");
    pods.push_back(with("p" + number, {"c" + number}));
  }
  schedule(pods);
  EXPECT_EQ(all().assumed(), 0u) << "all is written";
  core->advance_to(seconds(2));
  EXPECT_EQ(bindings.all.size(), static_cast<size_t>(kPods));
  EXPECT_EQ(all().assumed(), 0u);
  EXPECT_FALSE(core->unfinished());
}

// The plugin Scribe takes time in PreBind and PostBind, so there is a binding thread.
TEST_F(VolumeBindingCycleTest, DecisionsDependNeitherOnTheThreadNorOnWhenBindingsLeave) {
  volumes->failure_percent = 30;
  const auto play = [&](bool thread, int publish_every) {
    binding_thread = thread;
    bindings.all.clear();
    start_with_volumes(R"([{"schedulerName":"default-scheduler",)"
                       R"("plugins":{"multiPoint":{"enabled":[{"name":"Scribe"}]}}}])");
    std::vector<model::Pod> pods;
    for (int i = 0; i < 30; ++i) {
      const std::string number = std::to_string(i);
      claim("c" + number, "made");
      pods.push_back(with("p" + number, i % 3 == 0 ? std::vector<std::string>()
                                                   : std::vector<std::string>{"c" + number}));
    }
    arrive(pods);
    for (int steps = 1; core->has_active(); ++steps) {
      core->step(core->now() + milliseconds(1));
      if (publish_every != 0 && steps % publish_every == 0) core->publish();
      if (steps == 20) local_volume("more", "a");
    }
    for (int i = 0; i < 60; ++i) {
      core->settle();
      core->advance_to(core->now() + seconds(1));
      while (core->has_work()) core->step();
    }
    core->settle();
    return take();
  };
  const std::vector<std::string> once = play(true, 0);
  EXPECT_EQ(bindings.all.size(), 30u);
  EXPECT_EQ(play(true, 3), once);
  EXPECT_EQ(play(false, 0), once);
  EXPECT_EQ(play(false, 1), once);
  volumes->seed = 1;
  EXPECT_NE(play(false, 0), once);
}

}  // namespace
}  // namespace berth::tests
