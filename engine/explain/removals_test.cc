// Pods whose removal makes a node fit, where no value of the node does.

#include <gmock/gmock.h>

#include "engine/explain/testing.h"

namespace berth::explain {
namespace {

using ::testing::ElementsAre;

class RemovalsTest : public ExplanationTest {
 protected:
  static model::Pod of_priority(model::Pod pod, int32_t priority) {
    pod.spec.priority = priority;
    return pod;
  }
};

TEST_F(RemovalsTest, AsManyAsTheSkewNeedsTheLeastImportantOnes) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z2", "0");
  add(on_node(of_priority(labelled("low", "web"), 1), "a"));
  add(on_node(of_priority(labelled("high", "web"), 9), "a"));
  add(on_node(of_priority(labelled("middle", "web"), 5), "a"));
  add(on_node(labelled("other", "db"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.topology_spread_constraints = {by_zone("web", 2)};
  const Explanation explanation = explain(p);
  EXPECT_THAT(change_of(explanation, "a"), ElementsAre("remove pods default/middle, default/low"));
  EXPECT_EQ(explanation.nodes[0].name, "a");
  EXPECT_EQ(explanation.nodes[0].change->front().missing, 2);
}

TEST_F(RemovalsTest, PodsOfTheNodeThatAntiAffinityMatches) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z1");
  add(on_node(labelled("web-1", "web"), "a"));
  add(on_node(labelled("db-1", "db"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "zone")};
  const Explanation explanation = explain(p);
  EXPECT_THAT(change_of(explanation, "a"), ElementsAre("remove pod default/web-1"));
  EXPECT_THAT(change_of(explanation, "b"), ElementsAre("remove pod default/web-1 of a"));
}

TEST_F(RemovalsTest, PodsOfTheDomainOnOtherNodes) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z1");
  add_in_zone("c", "z2", "0");
  add(on_node(of_priority(labelled("low", "web"), 1), "a"));
  add(on_node(of_priority(labelled("high", "web"), 9), "a"));
  add(on_node(of_priority(labelled("middle", "web"), 5), "b"));
  model::Pod p = labelled("p", "web");
  p.spec.topology_spread_constraints = {by_zone("web", 1)};
  const Explanation explanation = explain(p);
  // Without middle, b has none, but its zone still has two.
  EXPECT_THAT(change_of(explanation, "b"),
              ElementsAre("remove pods default/high of a, default/middle, default/low of a"));
  EXPECT_THAT(change_of(explanation, "a"),
              ElementsAre("remove pods default/high, default/middle of b, default/low"));
}

// The model is the same after the trials.
TEST_F(RemovalsTest, AfterTheTrialsThePodsRunWhereTheyRan) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z1");
  model::Pod shy = labelled("shy", "db");
  shy.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "zone")};
  add(on_node(shy, "a"));
  const Explanation first = explain(labelled("p", "web"));
  EXPECT_THAT(change_of(first, "b"), ElementsAre("remove pod default/shy of a"));
  EXPECT_EQ(core_->fault(), "");
  EXPECT_EQ(to_json(explain(labelled("p", "web"))), to_json(first));
}

TEST_F(RemovalsTest, NoneOfMoreThanCanBeTried) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z1");
  for (int i = 0; i <= 256; ++i)
    add(on_node(labelled(("web-" + std::to_string(i)).c_str(), "web"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "zone")};
  EXPECT_THAT(change_of(explain(p), "b"), ElementsAre("nothing"));
}

TEST_F(RemovalsTest, TogetherWithOtherChanges) {
  add_in_zone("a", "z1", "1");
  model::Pod shy = labelled("shy", "db");
  shy.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "kubernetes.io/hostname")};
  add(on_node(shy, "a"));
  model::Pod p = labelled("p", "web");
  p.spec.containers[0].requests = {{"cpu", amount("2")}};
  EXPECT_THAT(change_of(explain(p), "a"),
              ElementsAre("1 more allocatable cpu", "remove pod default/shy"));
}

TEST_F(RemovalsTest, AMatchingPodWhereOneIsMissing) {
  add_in_zone("a", "z1");
  add(on_node(labelled("web-1", "web"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_affinity.emplace().required = {term("cache", "zone")};
  EXPECT_THAT(change_of(explain(p), "a"),
              ElementsAre("a pod that matches app=cache in namespace default, in zone=z1"));
}

}  // namespace
}  // namespace berth::explain
