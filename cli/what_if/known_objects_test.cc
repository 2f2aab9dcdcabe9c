// The objects that steps make of those that a run has.

#include "cli/what_if/known_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "engine/model/objects/controller_objects.h"

namespace berth::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

Step step_of(const std::string& text) {
  return parse_script("apiVersion: berth/v1\nkind: WhatIf\nsteps:\n- " + text, "s.yaml")
      .steps.at(0);
}

model::Node node_named(const std::string& name, const std::string& zone) {
  model::Node node;
  node.name = name;
  node.labels = {{"zone", zone}};
  return node;
}

model::ControllerObject deployment(const std::string& name, uint64_t replicas) {
  model::Workload workload;
  workload.name = name;
  workload.namespace_name = "default";
  workload.controller.kind = "ReplicaSet";
  workload.controller.name = name + "-1";
  workload.replicas = replicas;
  auto data = std::make_shared<model::ControllerObjectData>();
  data->value = workload;
  model::ControllerObject object;
  object.kind = "Deployment";
  object.name = name;
  object.namespace_name = "default";
  object.data = std::move(data);
  return object;
}

class KnownObjectsTest : public testing::Test {
 protected:
  KnownObjectsTest() {
    for (const auto& [name, zone] :
         {std::pair("n1", "x"), std::pair("n2", "x"), std::pair("n3", "y")})
      put(node_named(name, zone));
    put(deployment("web", 3));
  }
  void put(const model::Object& object) {
    objects_.object_changed(model::Operation::kAdded, object);
  }
  StepChanges changes(const std::string& step) { return objects_.changes_of(step_of(step)); }
  model::Node changed(const std::string& step) {
    return std::get<model::Node>(changes(step).changes.at(0).object);
  }
  std::string fault(const std::string& step) {
    try {
      changes(step);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  KnownObjects objects_;
};

TEST_F(KnownObjectsTest, ChoosesNodesByNameOrLabel) {
  EXPECT_THAT(changes("cordon: {node: n2}").nodes, ElementsAre("n2"));
  EXPECT_THAT(changes("cordon: {nodes: zone=x}").nodes, ElementsAre("n1", "n2"));
  EXPECT_THAT(changes("cordon: {nodes: zone!=x}").nodes, ElementsAre("n3"));
  EXPECT_THAT(changes("cordon: {nodes: 'zone in (x, y)'}").nodes, SizeIs(3));
  EXPECT_THAT(changes("cordon: {nodes: '!gpu'}").nodes, SizeIs(3));
  objects_.object_changed(model::Operation::kDeleted, node_named("n1", "x"));
  EXPECT_THAT(changes("cordon: {nodes: zone=x}").nodes, ElementsAre("n2"));
}

TEST_F(KnownObjectsTest, NamesWhatThereIsNot) {
  EXPECT_EQ(fault("cordon: {node: n4}"),
            "s.yaml:4:18: steps[0].cordon.node: there is no node \"n4\" at that time; did you mean "
            "\"n1\"?");
  EXPECT_THAT(
      fault("cordon: {nodes: zone=z}"),
      HasSubstr("no node is selected by \"zone=z\" at that time; did you mean \"zone=x\"?"));
  EXPECT_THAT(fault("scale: {workload: Deployment/wbe, replicas: 1}"),
              HasSubstr("did you mean \"Deployment default/web\"?"));
  EXPECT_THAT(fault("untaint: {nodes: zone=x, key: k}"), HasSubstr("has the taint \"k\""));
}

TEST_F(KnownObjectsTest, CordonsAndUncordons) {
  EXPECT_TRUE(changed("cordon: {node: n1}").unschedulable);
  model::Node node = changed("drain: {node: n1, options: --force}");
  EXPECT_THAT(node.annotations, ElementsAre(Pair("berth/drain", "--force")));
  node.unschedulable = true;
  node.taints = {{"node.kubernetes.io/unschedulable", "", "NoSchedule"}, {"k", "", "NoSchedule"}};
  put(node);
  node = changed("uncordon: {node: n1}");
  EXPECT_FALSE(node.unschedulable);
  EXPECT_THAT(node.annotations, IsEmpty());
  EXPECT_THAT(node.taints, ElementsAre(model::Taint{"k", "", "NoSchedule"}));
}

TEST_F(KnownObjectsTest, RemovesNodes) {
  const StepChanges made = changes("remove: {nodes: zone=x}");
  ASSERT_THAT(made.changes, SizeIs(2));
  EXPECT_EQ(made.changes[0].operation, model::Operation::kDeleted);
  EXPECT_EQ(model::full_name(made.changes[1].object), "n2");
}

TEST_F(KnownObjectsTest, TaintsAndUntaints) {
  model::Node node = changed("taint: {node: n1, key: k, value: a, effect: NoSchedule}");
  EXPECT_THAT(node.taints, ElementsAre(model::Taint{"k", "a", "NoSchedule"}));
  node.taints.push_back({"k", "a", "NoExecute"});
  put(node);
  EXPECT_THAT(
      changed("taint: {node: n1, key: k, value: b, effect: NoSchedule}").taints,
      ElementsAre(model::Taint{"k", "b", "NoSchedule"}, model::Taint{"k", "a", "NoExecute"}));
  EXPECT_THAT(changed("untaint: {node: n1, key: k, effect: NoExecute}").taints,
              ElementsAre(model::Taint{"k", "a", "NoSchedule"}));
  EXPECT_THAT(changed("untaint: {node: n1, key: k}").taints, IsEmpty());
}

TEST_F(KnownObjectsTest, LabelsNodes) {
  EXPECT_THAT(changed("label: {node: n1, set: {zone: w, a: b}}").labels,
              ElementsAre(Pair("a", "b"), Pair("zone", "w")));
  EXPECT_THAT(changed("label: {node: n1, without: [zone]}").labels, IsEmpty());
}

TEST_F(KnownObjectsTest, ScalesWorkloads) {
  const StepChanges made = changes("scale: {workload: Deployment/web, replicas: 7}");
  const auto& object = std::get<model::ControllerObject>(made.changes.at(0).object);
  EXPECT_EQ(std::get<model::Workload>(object.data->value).replicas, 7u);
  EXPECT_EQ(made.controller.value().name, "web-1");
  model::Controller owner;
  owner.kind = "ReplicaSet";
  owner.name = "web-1";
  EXPECT_EQ(objects_.owner_text("default", owner), "Deployment default/web");
  EXPECT_EQ(objects_.owner_text("other", owner), "ReplicaSet other/web-1");
}

}  // namespace
}  // namespace berth::cli
