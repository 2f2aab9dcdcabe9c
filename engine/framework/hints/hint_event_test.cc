#include "engine/framework/hints/hint_event.h"

#include <gtest/gtest.h>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeWorld;

class NodeActionsTest : public ::testing::Test {
 protected:
  Actions update(const model::Node& node) {
    const model::Changes changes = world_.cluster().put_node(node);
    const model::NodeTable& nodes = world_.cluster().nodes();
    return node_actions(changes,
                        nodes.node(nodes.find(world_.cluster().strings().find(node.name))));
  }

  FakeWorld world_{1};
  model::Node node_ = FakeWorld::node("n0");
};

TEST_F(NodeActionsTest, OneForEachKindOfChange) {
  EXPECT_EQ(update(node_), Actions{});
  node_.labels = {{"a", "b"}};
  EXPECT_EQ(update(node_), Actions{BERTH_DID_UPDATE_LABEL});
  node_.taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(update(node_), Actions{BERTH_DID_UPDATE_TAINT});
  node_.annotations = {{"a", "b"}};
  EXPECT_EQ(update(node_), Actions{BERTH_DID_UPDATE_ANNOTATION});
  node_.allocatable[0].second = model::Quantity::from_units(9);
  EXPECT_EQ(update(node_), Actions{BERTH_DID_UPDATE_ALLOCATABLE});
  node_.images = {{{"i:1"}, 5}};
  EXPECT_EQ(update(node_), Actions{});
}

TEST_F(NodeActionsTest, DeclaredFeaturesCountByARule) {
  node_.declared_features = {"A"};
  EXPECT_EQ(update(node_), Actions{});
  model::Cluster cluster;
  cluster.set_rules(Rules(KubeVersion::k1_36));
  cluster.put_node(node_);
  node_.declared_features = {"A", "B"};
  const model::Changes changes = cluster.put_node(node_);
  const model::Slot slot = cluster.nodes().find(cluster.strings().find(node_.name));
  EXPECT_EQ(node_actions(changes, cluster.nodes().node(slot)),
            Actions{BERTH_DID_UPDATE_DECLARED_FEATURES});
}

TEST_F(NodeActionsTest, OnlyTheEndOfACordonCounts) {
  node_.unschedulable = true;
  EXPECT_EQ(update(node_), Actions{});
  node_.unschedulable = false;
  EXPECT_EQ(update(node_), Actions{BERTH_DID_UPDATE_TAINT});
}

TEST_F(NodeActionsTest, InTheOrderOfKubeScheduler) {
  node_.unschedulable = true;
  update(node_);
  node_.unschedulable = false;
  node_.labels = {{"a", "b"}};
  node_.taints = {{"k", "v", "NoSchedule"}};
  node_.annotations = {{"a", "b"}};
  node_.allocatable.clear();
  EXPECT_EQ(update(node_),
            (Actions{BERTH_DID_UPDATE_TAINT, BERTH_DID_UPDATE_ALLOCATABLE, BERTH_DID_UPDATE_LABEL,
                     BERTH_DID_UPDATE_TAINT, BERTH_DID_UPDATE_ANNOTATION}));
}

class PodActionsTest : public ::testing::Test {
 protected:
  Actions update(const model::Pod& before, const model::Pod& after) {
    const model::PodRecord old = world_.cluster().record_of(before);
    return pod_actions(old, world_.cluster().record_of(after), world_.cluster());
  }

  FakeWorld world_{1};
  const model::Pod pod_ = FakeWorld::pod("p", 200);
};

TEST_F(PodActionsTest, OneForEachKindOfChange) {
  model::Pod labelled = pod_, smaller = FakeWorld::pod("p", 100), tolerant = pod_, urgent = pod_;
  labelled.spec.labels = {{"a", "b"}};
  tolerant.spec.tolerations.emplace_back();
  urgent.spec.priority = 7;
  EXPECT_EQ(update(pod_, labelled), Actions{BERTH_DID_UPDATE_LABEL});
  EXPECT_EQ(update(pod_, smaller), Actions{BERTH_DID_UPDATE_SCALE_DOWN});
  EXPECT_EQ(update(pod_, tolerant), Actions{BERTH_DID_UPDATE_TOLERATION});
  EXPECT_EQ(update(pod_, urgent), Actions{BERTH_DID_UPDATE_OTHER});
  EXPECT_EQ(update(pod_, pod_), Actions{BERTH_DID_UPDATE_OTHER});
  EXPECT_EQ(update(smaller, pod_), Actions{BERTH_DID_UPDATE_OTHER});
}

TEST_F(PodActionsTest, ARequestThatGoesIsAScaleDown) {
  model::Pod none = pod_;
  none.spec.containers[0].requests.clear();
  EXPECT_EQ(update(pod_, none), Actions{BERTH_DID_UPDATE_SCALE_DOWN});
}

TEST_F(PodActionsTest, OnlyTheLastGateCounts) {
  model::Pod two = pod_, one = pod_;
  two.spec.scheduling_gates = {"a", "b"};
  one.spec.scheduling_gates = {"a"};
  EXPECT_EQ(update(two, one), Actions{BERTH_DID_UPDATE_OTHER});
  EXPECT_EQ(update(one, pod_), Actions{BERTH_DID_UPDATE_GATES});
}

TEST_F(PodActionsTest, InTheOrderOfKubeScheduler) {
  model::Pod before = pod_, after = FakeWorld::pod("p", 100);
  before.spec.scheduling_gates = {"a"};
  after.spec.labels = {{"a", "b"}};
  after.spec.tolerations.emplace_back();
  EXPECT_EQ(update(before, after), (Actions{BERTH_DID_UPDATE_LABEL, BERTH_DID_UPDATE_SCALE_DOWN,
                                            BERTH_DID_UPDATE_GATES, BERTH_DID_UPDATE_TOLERATION}));
}

}  // namespace
}  // namespace berth::framework
