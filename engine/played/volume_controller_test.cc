// Which objects the controller of volumes writes, and when.

#include "engine/played/volume_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model/cluster/cluster.h"

namespace berth::played {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class VolumeControllerTest : public testing::Test {
 protected:
  void start(const VolumeControllerOptions& options) { controller_.emplace(cluster_, options); }
  // The object is put at the current time.
  void put(const model::VolumeObject& object) {
    controller_->changed(cluster_.volumes().put(object), now_);
  }
  void remove(const model::VolumeObject& object) {
    controller_->changed(*cluster_.volumes().remove(object), now_);
  }
  // Time passes; what was written, as text.
  std::vector<std::string> until(Time to) {
    std::vector<std::string> written;
    while (controller_->next() && *controller_->next() <= to) {
      now_ = std::max(now_, *controller_->next());
      controller_->run_due(
          now_,
          [&](const model::VolumeObject& object) {
            written.push_back(text(object));
            put(object);
          },
          [&](const model::VolumeObject& object) {
            written.push_back(full_name(object) + " gone");
            remove(object);
          });
    }
    now_ = to;
    return written;
  }
  static std::string text(const model::VolumeObject& object) {
    const auto* claim = std::get_if<model::PersistentVolumeClaim>(&object);
    if (claim != nullptr && claim->lost) return claim->name + " lost";
    if (claim != nullptr)
      return claim->name + (claim->bind_completed ? " bound to " + claim->volume_name
                                                  : " on \"" + claim->selected_node + "\"");
    const auto& volume = std::get<model::PersistentVolume>(object);
    if (volume.claim_uid == "released") return volume.name + " released";
    return volume.name + (volume.available ? " available" : " for " + volume.claim_name);
  }

  static model::PersistentVolumeClaim claim(const std::string& name, const std::string& of = {}) {
    model::PersistentVolumeClaim made;
    made.namespace_name = "team";
    made.name = name;
    made.uid = name + "-uid";
    made.storage_class = of;
    made.storage = 5;
    made.access_modes = {"ReadWriteOnce"};
    return made;
  }
  static model::PersistentVolume volume(const std::string& name, int64_t storage = 5,
                                        const std::string& of = {}) {
    model::PersistentVolume made;
    made.name = name;
    made.storage = storage;
    made.storage_class = of;
    made.available = true;
    made.access_modes = {"ReadWriteOnce"};
    return made;
  }
  void storage_class(const std::string& name, bool waits, const std::string& provisioner = "csi.a",
                     std::vector<model::NodeSelectorTerm> topologies = {}) {
    model::StorageClass made;
    made.name = name;
    made.provisioner = provisioner;
    made.has_binding_mode = true;
    made.waits = waits;
    made.allowed_topologies = std::move(topologies);
    put(made);
  }
  void node(const std::string& name, const model::StringMap& labels,
            const std::vector<std::string>& keys = {}) {
    model::Node made;
    made.name = name;
    made.labels = labels;
    cluster_.put_node(made);
    model::CsiNode csi;
    csi.name = name;
    csi.drivers = {{"csi.a", {}, keys}};
    put(csi);
  }
  // The claim with a selected node.
  static model::PersistentVolumeClaim on(model::PersistentVolumeClaim made,
                                         const std::string& node) {
    made.selected_node = node;
    made.has_selected_node = true;
    return made;
  }
  // "KEY=VALUE" of the nodes that reach the volume; nothing: all do.
  std::vector<std::string> reach(const std::string& name) {
    const auto made = cluster_.volumes().volume_object(cluster_.strings().find(name));
    std::vector<std::string> labels;
    if (made->node_affinity)
      for (const model::Requirement& one : made->node_affinity->terms.at(0).match_expressions)
        labels.push_back(one.key + "=" + one.values.at(0));
    return labels;
  }

  model::Cluster cluster_;
  std::optional<VolumeController> controller_;
  Time now_{};
};

TEST_F(VolumeControllerTest, AVolumeWithoutAClaimBecomesAvailableAfterTheDelay) {
  start({.delay = seconds(2)});
  model::PersistentVolume made = volume("disk");
  made.available = false;
  put(made);
  EXPECT_EQ(controller_->next(), seconds(2));
  EXPECT_THAT(until(milliseconds(1999)), IsEmpty());
  EXPECT_THAT(until(seconds(2)), ElementsAre("disk available"));
  EXPECT_FALSE(controller_->next());
}

TEST_F(VolumeControllerTest, AnImmediateClaimGetsTheSmallestVolumeThatSuits) {
  start({});
  put(volume("small", 4));
  put(volume("other-class", 5, "made"));
  put(volume("large", 9));
  put(volume("b", 6));
  put(volume("a", 6));
  model::PersistentVolume block = volume("block", 5);
  block.block = true;
  put(block);
  model::PersistentVolume more = volume("more-modes", 5);
  more.access_modes = {"ReadWriteOnce", "ReadOnlyMany"};
  put(more);
  put(claim("one"));
  put(claim("two"));
  EXPECT_THAT(until(seconds(1)),
              ElementsAre("a for one", "one bound to a", "b for two", "two bound to b"));
  model::PersistentVolumeClaim many = claim("many");
  many.access_modes = {"ReadOnlyMany"};
  put(many);
  EXPECT_THAT(until(seconds(2)), ElementsAre("more-modes for many", "many bound to more-modes"));
}

TEST_F(VolumeControllerTest, AClaimWaitsForAVolumeOfItsClass) {
  start({});
  put(claim("data"));
  EXPECT_THAT(until(seconds(5)), IsEmpty());
  EXPECT_FALSE(controller_->next());
  put(volume("disk"));
  EXPECT_THAT(until(seconds(6)), ElementsAre("disk for data", "data bound to disk"));
}

TEST_F(VolumeControllerTest, PairsThatNameEachOtherAreBound) {
  start({});
  storage_class("local", true, "kubernetes.io/no-provisioner");
  model::PersistentVolumeClaim naming = claim("naming");
  naming.volume_name = "late";
  put(naming);
  put(claim("named", "local"));
  put(claim("untouched", "local"));
  put(volume("free", 5, "local"));
  model::PersistentVolume reserved = volume("reserved", 5, "local");
  reserved.has_claim = true;
  reserved.claim_namespace = "team";
  reserved.claim_name = "named";
  put(reserved);
  EXPECT_THAT(until(seconds(1)), ElementsAre("reserved for named", "named bound to reserved"));
  put(volume("late"));
  EXPECT_THAT(until(seconds(2)), ElementsAre("late for naming", "naming bound to late"));
  EXPECT_FALSE(controller_->next());
}

TEST_F(VolumeControllerTest, AVolumeOfAnotherClaimIsNotTaken) {
  start({});
  model::PersistentVolume reserved = volume("reserved");
  reserved.has_claim = true;
  reserved.claim_namespace = "team";
  reserved.claim_name = "data";
  reserved.claim_uid = "an-earlier-uid";
  put(reserved);
  put(claim("data"));
  EXPECT_THAT(until(seconds(5)), IsEmpty());
}

TEST_F(VolumeControllerTest, ADelayedClaimIsProvisionedOnceItHasANode) {
  start({});
  node("a1", {{"zone", "a"}}, {"zone"});
  storage_class("made", true);
  put(claim("data", "made"));
  EXPECT_THAT(until(seconds(5)), IsEmpty());
  put(on(claim("data", "made"), "a1"));
  EXPECT_THAT(until(seconds(6)),
              ElementsAre("pvc-data-uid for data", "data bound to pvc-data-uid"));
  EXPECT_THAT(reach("pvc-data-uid"), ElementsAre("zone=a"));
  EXPECT_FALSE(controller_->next());
}

TEST_F(VolumeControllerTest, TopologyKeysComeFromTheDriverOrTheClass) {
  start({});
  node("plain", {{"zone", "a"}, {"rack", "7"}});
  storage_class("anywhere", true);
  storage_class(
      "zones", true, "csi.a",
      {{{{"zone", "In", {"b"}}}, {}}, {{{"zone", "In", {"c", "a"}}, {"rack", "In", {"7"}}}, {}}});
  put(on(claim("one", "anywhere"), "plain"));
  put(on(claim("two", "zones"), "plain"));
  until(seconds(1));
  EXPECT_THAT(reach("pvc-one-uid"), IsEmpty());
  EXPECT_THAT(reach("pvc-two-uid"), ElementsAre("zone=a", "rack=7"));
}

TEST_F(VolumeControllerTest, WithoutANodeATopologyIsDrawn) {
  start({});
  node("a1", {{"zone", "a"}}, {"zone"});
  node("b1", {{"zone", "b"}}, {"zone"});
  storage_class("now", false);
  storage_class("in-c", false, "csi.a", {{{{"zone", "In", {"c"}}}, {}}});
  std::set<std::string> drawn;
  for (int i = 0; i < 20; ++i) put(claim("data-" + std::to_string(i), "now"));
  put(claim("other", "in-c"));
  until(seconds(1));
  for (int i = 0; i < 20; ++i) {
    const auto labels = reach("pvc-data-" + std::to_string(i) + "-uid");
    ASSERT_EQ(labels.size(), 1u);
    drawn.insert(labels[0]);
  }
  EXPECT_THAT(drawn, ElementsAre("zone=a", "zone=b"));
  EXPECT_THAT(reach("pvc-other-uid"), ElementsAre("zone=c"));
}

TEST_F(VolumeControllerTest, NewVolumesAreLikeTheirClaims) {
  start({});
  storage_class("old", false, "kubernetes.io/aws-ebs");
  model::PersistentVolumeClaim asked = claim("data", "old");
  asked.uid.clear();
  asked.block = true;
  asked.attributes_class = "fast";
  put(asked);
  const std::vector<std::string> written = until(seconds(1));
  ASSERT_EQ(written.size(), 2u);
  const std::string name = written[0].substr(0, written[0].find(' '));
  EXPECT_THAT(name, testing::MatchesRegex("pvc-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"));
  EXPECT_EQ(name.size(), 40u);
  const auto made = *cluster_.volumes().volume_object(cluster_.strings().find(name));
  EXPECT_TRUE(made.block);
  EXPECT_EQ(made.attributes_class, "fast");
  EXPECT_EQ(made.storage, 5);
  EXPECT_EQ(made.storage_class, "old");
  EXPECT_EQ(made.access_modes, asked.access_modes);
  EXPECT_EQ(made.plugin, "kubernetes.io/aws-ebs");
  EXPECT_EQ(made.plugin_handle, name);
  EXPECT_EQ(made.csi_driver, "");
}

// A claim and a volume that are bound to each other.
struct Pair {
  model::PersistentVolumeClaim claim;
  model::PersistentVolume volume;
};

class BoundVolumes : public VolumeControllerTest {
 protected:
  static Pair pair(model::Reclaim reclaim = model::Reclaim::kRetain) {
    Pair made{claim("data"), volume("disk")};
    made.claim.volume_name = "disk";
    made.claim.bind_completed = true;
    made.volume.available = false;
    made.volume.has_claim = true;
    made.volume.claim_namespace = "team";
    made.volume.claim_name = "data";
    made.volume.claim_uid = "data-uid";
    made.volume.reclaim = reclaim;
    return made;
  }
  // Deletes the claim of a pair, and returns the writes that follow.
  std::vector<std::string> after_the_claim(const Pair& made) {
    start({});
    put(made.claim);
    put(made.volume);
    EXPECT_FALSE(controller_->next()) << "nothing is to be done for a pair";
    remove(made.claim);
    return until(now_ + seconds(5));
  }
};

TEST_F(BoundVolumes, AClaimIsLostWithItsVolume) {
  start({});
  const Pair made = pair();
  put(made.claim);
  put(made.volume);
  remove(made.volume);
  EXPECT_EQ(controller_->next(), seconds(1));
  EXPECT_THAT(until(seconds(1)), ElementsAre("data lost"));
  EXPECT_FALSE(controller_->next());
  put(made.volume);
  EXPECT_THAT(until(seconds(2)), ElementsAre("data bound to disk"));
}

TEST_F(BoundVolumes, AClaimIsLostWhoseVolumeNamesAnother) {
  start({});
  Pair made = pair();
  made.volume.claim_uid = "an-earlier-uid";
  put(made.volume);
  put(made.claim);
  EXPECT_THAT(until(seconds(5)), ElementsAre("data lost"));
}

TEST_F(BoundVolumes, AClaimThatIsBoundToNothingIsLost) {
  start({});
  storage_class("now", false);
  model::PersistentVolumeClaim made = claim("data", "now");
  made.bind_completed = true;
  put(made);
  EXPECT_THAT(until(seconds(5)), ElementsAre("data lost"));
}

TEST_F(BoundVolumes, AVolumeThatForgotItsClaimIsBoundAgain) {
  start({});
  const Pair made = pair();
  put(made.claim);
  put(volume("disk"));
  EXPECT_THAT(until(seconds(5)), ElementsAre("disk for data", "data bound to disk"));
}

TEST_F(BoundVolumes, AVolumeIsReclaimedAsItsPolicySays) {
  EXPECT_THAT(after_the_claim(pair(model::Reclaim::kDelete)), ElementsAre("disk gone"));
  EXPECT_THAT(after_the_claim(pair(model::Reclaim::kRecycle)), ElementsAre("disk available"));
  remove(volume("disk"));
  EXPECT_THAT(after_the_claim(pair(model::Reclaim::kRetain)), IsEmpty())
      << "it names a claim that is gone already";
}

// A claim without a UID could come again.
TEST_F(BoundVolumes, ARetainedVolumeIsForNobody) {
  Pair made = pair();
  made.claim.uid.clear();
  made.volume.claim_uid.clear();
  EXPECT_THAT(after_the_claim(made), ElementsAre("disk released"));
  model::PersistentVolumeClaim again = claim("data");
  again.uid.clear();
  put(again);
  EXPECT_THAT(until(now_ + seconds(5)), IsEmpty());
}

TEST_F(BoundVolumes, AClaimThatReplacesTheOtherDoesNotGetItsVolume) {
  start({});
  const Pair made = pair(model::Reclaim::kDelete);
  put(made.claim);
  put(made.volume);
  remove(made.claim);
  model::PersistentVolumeClaim other = claim("data");
  other.uid = "another-uid";
  put(other);
  EXPECT_THAT(until(seconds(5)), ElementsAre("disk gone"));
}

TEST_F(BoundVolumes, AReservedVolumeWaitsForItsClaim) {
  start({});
  Pair made = pair(model::Reclaim::kDelete);
  made.volume.claim_uid.clear();
  put(made.volume);
  EXPECT_THAT(until(seconds(5)), IsEmpty());
}

TEST_F(BoundVolumes, ProvisionedVolumesHaveThePolicyOfTheirClass) {
  start({});
  storage_class("now", false);
  model::StorageClass keeps;
  keeps.name = "keeps";
  keeps.provisioner = "csi.a";
  keeps.reclaim = model::Reclaim::kRetain;
  put(keeps);
  put(claim("one", "now"));
  put(claim("two", "keeps"));
  until(seconds(1));
  remove(claim("one"));
  remove(claim("two"));
  EXPECT_THAT(until(seconds(5)), ElementsAre("pvc-one-uid gone"));
}

TEST_F(VolumeControllerTest, AFailureTakesTheSelectedNodeFromTheClaim) {
  start({.failure_percent = 100});
  node("a1", {});
  storage_class("made", true);
  put(on(claim("data", "made"), "a1"));
  EXPECT_THAT(until(seconds(9)), ElementsAre("data on \"\""));
  EXPECT_FALSE(controller_->next());
}

TEST_F(VolumeControllerTest, ANodeThatIsGoneIsAFailure) {
  start({});
  storage_class("made", true);
  put(on(claim("data", "made"), "gone"));
  EXPECT_THAT(until(seconds(9)), ElementsAre("data on \"\""));
}

TEST_F(VolumeControllerTest, AnImmediateClaimIsTriedAgainLaterAndLater) {
  start({.failure_percent = 100});
  storage_class("now", false);
  put(claim("data", "now"));
  EXPECT_THAT(until(seconds(1)), IsEmpty());
  EXPECT_EQ(controller_->next(), seconds(2));
  until(seconds(2));
  EXPECT_EQ(controller_->next(), seconds(4));
  until(seconds(1000));
  EXPECT_GT(*controller_->next(), seconds(1000));
  EXPECT_LE(*controller_->next(), seconds(1300));
  remove(claim("data"));
  EXPECT_FALSE(controller_->next());
}

TEST_F(VolumeControllerTest, FailuresAreDrawnFromTheSeed) {
  const auto failed = [&](uint64_t seed) {
    start({.failure_percent = 30, .seed = seed});
    storage_class("made", true);
    node("a1", {});
    for (int i = 0; i < 100; ++i) put(on(claim("data-" + std::to_string(i), "made"), "a1"));
    std::string all;
    for (const std::string& one : until(now_ + seconds(1)))
      all += one.ends_with("\"\"") ? one + " " : "";
    return all;
  };
  const std::string first = failed(7);
  EXPECT_EQ(failed(7), first);
  EXPECT_NE(failed(8), first);
  const auto count = std::count(first.begin(), first.end(), '"') / 2;
  EXPECT_GT(count, 15);
  EXPECT_LT(count, 45);
}

}  // namespace
}  // namespace berth::played
