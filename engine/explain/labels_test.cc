// Topology labels that a node lacks, where the label lets it fit.

#include <gmock/gmock.h>

#include "engine/explain/testing.h"

namespace berth::explain {
namespace {

using ::testing::ElementsAre;

class LabelsTest : public ExplanationTest {
 protected:
  // A pod that spreads by zone, with at most one more in a zone than in another.
  static model::Pod spread() {
    model::Pod p = labelled("p", "web");
    p.spec.topology_spread_constraints = {by_zone("web", 1)};
    return p;
  }
  void add_without_zone(const char* name) {
    model::Node made = node(name);
    made.labels = {{"kubernetes.io/hostname", name}};
    add(made);
  }
};

TEST_F(LabelsTest, TheFirstZoneThatIsNotTooFull) {
  add_in_zone("a", "z1", "0");
  add_in_zone("b", "z2", "0");
  add_without_zone("bare");
  EXPECT_THAT(change_of(explain(spread()), "bare"), ElementsAre("label zone=z1"));
  add(on_node(labelled("web-1", "web"), "a"));
  const Explanation explanation = explain(spread());
  EXPECT_THAT(change_of(explanation, "bare"), ElementsAre("label zone=z2"));
  EXPECT_NE(to_json(explanation).find(R"("node.label:zone")"), std::string::npos);
}

// Without those of bare, z1 would have as many as z2 has.
TEST_F(LabelsTest, ThePodsOfTheNodeCountInItsZone) {
  add_in_zone("a", "z1", "0");
  add_in_zone("b", "z2", "0");
  add_without_zone("bare");
  for (const char* name : {"b-1", "b-2"}) add(on_node(labelled(name, "web"), "b"));
  add(on_node(labelled("a-1", "web"), "a"));
  EXPECT_THAT(change_of(explain(spread()), "bare"), ElementsAre("label zone=z1"));
  for (const char* name : {"bare-1", "bare-2"}) add(on_node(labelled(name, "web"), "bare"));
  EXPECT_THAT(change_of(explain(spread()), "bare"), ElementsAre("nothing"));
}

TEST_F(LabelsTest, AnyValueWhereNoNodeHasTheKey) {
  add_without_zone("a");
  add_without_zone("b");
  const Explanation explanation = explain(spread());
  EXPECT_THAT(change_of(explanation, "a"), ElementsAre("label zone=a"));
  EXPECT_THAT(change_of(explanation, "b"), ElementsAre("label zone=b"));
}

TEST_F(LabelsTest, TheDomainOfAMatchingPod) {
  add_in_zone("a", "z1", "0");
  add_in_zone("b", "z2", "0");
  add_without_zone("bare");
  add(on_node(labelled("cache-1", "cache"), "b"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_affinity.emplace().required = {term("cache", "zone")};
  EXPECT_THAT(change_of(explain(p), "bare"), ElementsAre("label zone=z2"));
  // Both constraints have to hold.
  p.spec.topology_spread_constraints = {by_zone("web", 1)};
  EXPECT_THAT(change_of(explain(p), "bare"), ElementsAre("label zone=z2"));
}

TEST_F(LabelsTest, WithAPodThatIsMissingThere) {
  add_in_zone("a", "z1", "0");
  add_without_zone("bare");
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_affinity.emplace().required = {term("cache", "zone")};
  EXPECT_THAT(change_of(explain(p), "bare"),
              ElementsAre("a pod that matches app=cache in namespace default, in its zone",
                          "label zone=z1"));
}

TEST_F(LabelsTest, OnlyAValueThatTheNodeSelectorWants) {
  add_in_zone("a", "z1", "0");
  add_in_zone("b", "z2", "0");
  add_without_zone("bare");
  model::Pod p = spread();
  p.spec.has_node_selector = true;
  p.spec.node_selector = {{"zone", "z2"}};
  // The selector's own words name the same label.
  EXPECT_THAT(change_of(explain(p), "bare"), ElementsAre("label zone=z2"));
  p.spec.node_selector.insert(p.spec.node_selector.begin(), {"disk", "ssd"});
  EXPECT_THAT(
      change_of(explain(p), "bare"),
      ElementsAre("labels that match the pod's nodeSelector: disk=ssd, zone=z2", "label zone=z2"));
}

TEST_F(LabelsTest, ThoseOfTheNodesThatAVolumeReaches) {
  add_in_zone("a", "z1");
  model::PersistentVolume volume;
  volume.name = "v";
  volume.has_claim = true;
  volume.claim_namespace = "default";
  volume.claim_name = "data";
  volume.claim_uid = "u";
  volume.node_affinity.emplace().terms.resize(1);
  volume.node_affinity->terms[0].match_expressions = {{"zone", "In", {"z2"}}};
  core_->door().put(volume);
  model::PersistentVolumeClaim claim;
  claim.namespace_name = "default";
  claim.name = "data";
  claim.uid = "u";
  claim.volume_name = "v";
  claim.bind_completed = true;
  core_->door().put(claim);
  model::Pod user = pod("p");
  model::PodVolume& of_user = user.spec.volumes.emplace_back();
  of_user.is_claim = true;
  of_user.claim = "data";
  EXPECT_THAT(change(user),
              ElementsAre("labels that match the node affinity of a volume of the pod, "
                          "or that the scheduler's configuration adds"));
}

TEST_F(LabelsTest, EveryKeyThatIsMissing) {
  add_in_zone("a", "z1", "0");
  add(node("bare"));
  model::Pod p = spread();
  p.spec.topology_spread_constraints.push_back(by_zone("web", 1));
  p.spec.topology_spread_constraints.back().topology_key = "kubernetes.io/hostname";
  EXPECT_THAT(
      change_of(explain(p), "bare"),
      ::testing::UnorderedElementsAre("label kubernetes.io/hostname=bare", "label zone=z1"));
}

TEST_F(LabelsTest, AfterTheTrialsTheNodeHasItsLabels) {
  add_in_zone("a", "z1", "0");
  add_without_zone("bare");
  add(on_node(labelled("web-1", "web"), "bare"));
  const std::string first = to_json(explain(spread()));
  EXPECT_EQ(core_->fault(), "");
  EXPECT_EQ(to_json(explain(spread())), first);
}

}  // namespace
}  // namespace berth::explain
