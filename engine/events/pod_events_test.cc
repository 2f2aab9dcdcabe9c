#include "engine/events/pod_events.h"

#include <gtest/gtest.h>

#include "engine/events/node_events.h"

namespace berth::events {
namespace {

struct PodEvents : ::testing::Test {
  const model::PodRecord& pod(const std::string& name, const std::string& scheduler = "") {
    model::Pod pod;
    pod.namespace_name = "shop";
    pod.name = name;
    pod.uid = "uid-" + name;
    pod.spec.scheduler_name = scheduler;
    return cluster.pod(cluster.add_pod(pod));
  }
  static EventObject object(const std::string& name) {
    return {.namespace_name = "shop", .name = name, .uid = "uid-" + name};
  }

  model::Cluster cluster;
};

TEST_F(PodEvents, TellOfABinding) {
  const Event event = scheduled(cluster, pod("web-0"), "node-7");
  EXPECT_EQ(event.controller, "default-scheduler");
  EXPECT_EQ(event.regarding, object("web-0"));
  EXPECT_EQ(event.regarding.kind, "Pod");
  EXPECT_EQ(event.regarding.api_version, "v1");
  EXPECT_FALSE(event.related);
  EXPECT_EQ(type_of(event), "Normal");
  EXPECT_EQ(event.reason, "Scheduled");
  EXPECT_EQ(event.action, "Binding");
  EXPECT_EQ(event.note, "Successfully assigned shop/web-0 to node-7");
}

TEST_F(PodEvents, TellOfAFailure) {
  const Event event = failed_scheduling(cluster, pod("web-0", "mine"), "0/1 nodes are available");
  EXPECT_EQ(event.controller, "mine");
  EXPECT_EQ(event.regarding, object("web-0"));
  EXPECT_FALSE(event.related);
  EXPECT_EQ(type_of(event), "Warning");
  EXPECT_EQ(event.reason, "FailedScheduling");
  EXPECT_EQ(event.action, "Scheduling");
  EXPECT_EQ(event.note, "0/1 nodes are available");
}

TEST_F(PodEvents, TellOfAPodThatIsBeingDeleted) {
  const Event event = skipped(cluster, pod("web-0"));
  EXPECT_EQ(type_of(event), "Warning");
  EXPECT_EQ(event.reason, "FailedScheduling");
  EXPECT_EQ(event.action, "Scheduling");
  EXPECT_EQ(event.note, "skip schedule deleting pod: shop/web-0");
}

TEST_F(PodEvents, TellOfAPreemption) {
  model::Node node;
  node.name = "node-7";
  cluster.put_node(node);
  const model::PodId victim = pod("low", "other").id, preemptor = pod("high", "mine").id;
  cluster.place(victim, "node-7");
  const Event event = preempted(cluster, cluster.pod(victim), cluster.pod(preemptor));
  EXPECT_EQ(event.controller, "mine");
  EXPECT_EQ(event.regarding, object("low"));
  EXPECT_EQ(event.related, object("high"));
  EXPECT_EQ(type_of(event), "Normal");
  EXPECT_EQ(event.reason, "Preempted");
  EXPECT_EQ(event.action, "Preempting");
  EXPECT_EQ(event.note, "Preempted by pod uid-high on node node-7");
}

TEST_F(PodEvents, OfControllersAreThoseOfKubernetes) {
  const Event cancels = taint_manager_cancels(cluster, pod("web-0"));
  EXPECT_EQ(cancels.controller, "taint-eviction-controller");
  EXPECT_EQ(cancels.reason, "TaintManagerEviction");
  EXPECT_EQ(type_of(cancels), "Normal");
  EXPECT_EQ(cancels.note, "Cancelling deletion of Pod shop/web-0");
  const Event silent = node_of_pod_not_ready(cluster, pod("web-1"));
  EXPECT_EQ(silent.controller, "node-controller");
  EXPECT_EQ(silent.reason, "NodeNotReady");
  EXPECT_EQ(type_of(silent), "Warning");
  EXPECT_EQ(silent.note, "Node is not ready");
}

TEST(NodeEvents, AreThoseOfKubernetes) {
  for (const Event& event : {node_registered("n1"), node_removed("n1"), node_not_ready("n1")}) {
    EXPECT_EQ(event.controller, "node-controller");
    EXPECT_EQ(event.regarding.kind, "Node");
    EXPECT_EQ(event.regarding.name, "n1");
    EXPECT_EQ(type_of(event), "Normal");
  }
  EXPECT_EQ(node_registered("n1").reason, "RegisteredNode");
  EXPECT_EQ(node_registered("n1").note, "Node n1 event: Registered Node n1 in Controller");
  EXPECT_EQ(node_removed("n1").reason, "RemovingNode");
  EXPECT_EQ(node_removed("n1").note, "Node n1 event: Removing Node n1 from Controller");
  EXPECT_EQ(node_not_ready("n1").reason, "NodeNotReady");
  EXPECT_EQ(node_not_ready("n1").note, "Node n1 status is now: NodeNotReady");
}

}  // namespace
}  // namespace berth::events
