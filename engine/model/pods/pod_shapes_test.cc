// Tests which pods have the same terms about other pods.

#include "engine/model/pods/pod_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

class Shapes : public ::testing::Test {
 protected:
  ShapeTermsId terms_of(const std::string& app, const PodSpec& spec,
                        const std::string& space = "default") {
    Pod pod;
    pod.namespace_name = space;
    pod.name = "pod-" + std::to_string(pods_++);
    pod.spec = spec;
    pod.spec.labels = {{"app", app}};
    return cluster_.shapes().terms_id(cluster_.shape(cluster_.record_of(pod)));
  }

  // Anti-affinity to pods of an app.
  static PodSpec away_from(const std::string& app) {
    PodSpec spec;
    PodAffinityTerm term;
    term.topology_key = "zone";
    term.label_selector = LabelSelector{.match_labels = {{"app", app}}, .match_expressions = {}};
    spec.affinity.pod_anti_affinity = PodAffinity{.required = {term}, .preferred = {}};
    return spec;
  }

  Cluster cluster_;
  int pods_ = 0;
};

TEST_F(Shapes, ThatSayNothingSayTheSame) {
  const ShapeId before = cluster_.shapes().size();
  EXPECT_EQ(terms_of("a", {}), terms_of("b", {}));
  EXPECT_EQ(terms_of("a", {}), terms_of("a", {}, "other"));
  EXPECT_EQ(cluster_.shapes().size(), before + 3) << "they are shapes of their own all the same";
}

TEST_F(Shapes, ThatSayOtherThingsAreToldApart) {
  EXPECT_NE(terms_of("a", {}), terms_of("a", away_from("x")));
  EXPECT_NE(terms_of("a", away_from("x")), terms_of("a", away_from("y")));
  EXPECT_EQ(terms_of("a", away_from("x")), terms_of("b", away_from("x")));
  // The term means the pod's own namespace.
  EXPECT_NE(terms_of("a", away_from("x")), terms_of("a", away_from("x"), "other"));
}

TEST_F(Shapes, SpreadOverTheirOwnLabelsIsToldApart) {
  PodSpec spec;
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.label_selector =
      LabelSelector{.match_labels = {{"app", "a"}}, .match_expressions = {}};
  spec.topology_spread_constraints = {constraint};
  EXPECT_NE(terms_of("a", spec), terms_of("b", spec)) << "one matches itself, the other does not";
  constraint.match_label_keys = {"app"};
  spec.topology_spread_constraints = {constraint};
  EXPECT_NE(terms_of("b", spec), terms_of("c", spec)) << "their values are part of the selector";
}

// A service defines which pods belong together; without it there are no siblings.
TEST_F(Shapes, WhatTheySayFollowsTheServicesAsTheyAre) {
  const ShapeTermsId nothing = terms_of("web", {});
  SelectorOwner service;
  service.kind = SelectorOwnerKind::kService;
  service.namespace_name = "default";
  service.name = "web";
  service.selector = LabelSelector{.match_labels = {{"app", "web"}}, .match_expressions = {}};
  cluster_.put_selector_owner(service);
  const ShapeTermsId together = terms_of("web", {});
  EXPECT_NE(together, nothing);
  EXPECT_EQ(terms_of("db", {}), nothing);
  cluster_.remove_selector_owner(SelectorOwnerKind::kService, "default", "web");
  EXPECT_EQ(terms_of("web", {}), nothing);
  cluster_.put_selector_owner(service);
  EXPECT_EQ(terms_of("web", {}), together) << "a number keeps its meaning";
}

}  // namespace
}  // namespace berth::model
