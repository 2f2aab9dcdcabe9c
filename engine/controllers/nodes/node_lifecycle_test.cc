#include "engine/controllers/nodes/node_lifecycle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "engine/controllers/nodes/node_taints.h"

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

// A cluster whose nodes are what the controller has written last.
class WatchedCluster final : public NodeLifecycleCluster {
 public:
  void set_taints(Time now, const std::string& node,
                  const std::vector<model::Taint>& taints) override {
    nodes[node].taints = taints;
    if (echo) controller.node_changed(now, nodes[node]);
  }
  void set_conditions(Time now, const std::string& node,
                      const std::vector<Condition>& conditions) override {
    nodes[node].conditions = conditions;
    if (echo) controller.node_changed(now, nodes[node]);
  }
  void set_pods_not_ready(Time now, const std::string& node) override {
    told += "pods of " + node + " " + std::to_string(now / Time(1s)) + ";";
  }
  void set_pod_not_ready(Time /*now*/, const std::string& pod) override { told += pod + ";"; }
  void node_found(Time /*now*/, const std::string& node) override { seen += "+" + node; }
  void node_lost(Time /*now*/, const std::string& node) override { seen += "-" + node; }

  void add(Time now, const std::string& name, const std::string& ready, bool up = true) {
    WatchedNode& node = nodes[name];
    node.name = name;
    node.heartbeat = node.created = now;
    if (!ready.empty()) node.conditions = {{"Ready", ready, "", "", now}};
    controller.node_changed(now, node);
    if (up) controller.kubelet_starts(now, name, 2s);
  }
  // The kubelet posts the status.
  void post(Time now, const std::string& name, const std::string& ready) {
    WatchedNode& node = nodes[name];
    put(node.conditions, {"Ready", ready, "", "", now});
    node.heartbeat = now;
    controller.node_changed(now, node);
  }
  void run_to(Time time) {
    while (controller.next() && *controller.next() <= time) controller.run_due(*controller.next());
  }
  // Effects of the two taints, "E" and "S", and the status of Ready.
  std::string state(const std::string& name) {
    const WatchedNode& node = nodes[name];
    std::string text;
    for (const std::string_view key : {kNotReady, kUnreachable}) {
      text += key == kNotReady ? "n" : "u";
      if (has_taint(node.taints, key, kNoExecute)) text += "E";
      if (has_taint(node.taints, key, kNoSchedule)) text += "S";
    }
    const Condition* const ready = find(node.conditions, "Ready");
    return text + " " + (ready == nullptr ? "" : ready->status);
  }

  bool echo = false;
  std::map<std::string, WatchedNode> nodes;
  std::string told;
  std::string seen;  // nodes that were found and lost
  NodeLifecycle controller{*this};
};

TEST(NodeLifecycle, ANodeThatFallsSilentIsTaintedAndItsPodsAreNotReady) {
  for (const bool echo : {false, true}) {
    WatchedCluster cluster;
    cluster.echo = echo;
    cluster.add(0s, "a", "True");
    cluster.add(0s, "b", "True");
    cluster.run_to(33s);
    cluster.controller.kubelet_stops(33s, "a");
    cluster.run_to(89s);
    EXPECT_EQ(cluster.state("a"), "nu True");
    cluster.run_to(90s);
    EXPECT_EQ(cluster.state("a"), "nuS Unknown");
    EXPECT_EQ(find(cluster.nodes["a"].conditions, "Ready")->reason, "NodeStatusUnknown");
    EXPECT_EQ(find(cluster.nodes["a"].conditions, "PIDPressure")->reason, "NodeStatusNeverUpdated");
    EXPECT_EQ(find(cluster.nodes["a"].conditions, "NetworkUnavailable"), nullptr);
    EXPECT_EQ(cluster.told, "pods of a 90;");
    cluster.run_to(90s + 50ms);
    EXPECT_EQ(cluster.state("a"), "nuES Unknown");
  }
}

TEST(NodeLifecycle, NodesAreFoundAndLostByTheNextLook) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "True");
  cluster.add(0s, "b", "True");
  cluster.run_to(0s);
  EXPECT_EQ(cluster.seen, "+a+b");
  cluster.controller.node_gone(7s, "a");
  EXPECT_EQ(cluster.seen, "+a+b");
  cluster.add(7s, "c", "True");
  cluster.run_to(10s);
  EXPECT_EQ(cluster.seen, "+a+b+c-a");
}

TEST(NodeLifecycle, ANodeThatIsWellNeedsNoLook) {
  WatchedCluster cluster;
  cluster.echo = true;
  cluster.add(0s, "a", "True");
  cluster.run_to(10s);
  EXPECT_EQ(cluster.controller.next(), std::nullopt);
  cluster.controller.kubelet_stops(1004s, "a");
  EXPECT_EQ(cluster.controller.next(), 1005s);
  cluster.run_to(1059s);
  EXPECT_EQ(cluster.state("a"), "nu True");  // renewed at 1002 s, seen at 1005 s
  cluster.run_to(1060s);
  EXPECT_EQ(cluster.state("a"), "nuS Unknown");
}

TEST(NodeLifecycle, ANodeThatNeverPostedHasAMinute) {
  WatchedCluster cluster;
  cluster.add(3s, "a", "", false);
  cluster.run_to(64s);
  EXPECT_EQ(cluster.state("a"), "nu ");
  cluster.run_to(65s);
  EXPECT_EQ(cluster.state("a"), "nuS Unknown");
  EXPECT_EQ(cluster.told, "") << "it was not ready before";
}

TEST(NodeLifecycle, ANodeThatSaysItIsNotReadyIsTaintedButItsPodsStay) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "True");
  cluster.add(0s, "b", "True");
  cluster.run_to(31s);
  cluster.post(31s, "a", "False");
  EXPECT_EQ(cluster.state("a"), "nSu False") << "at once";
  cluster.run_to(36s);
  EXPECT_EQ(cluster.state("a"), "nESu False");
  EXPECT_EQ(cluster.told, "");
  cluster.post(38s, "a", "True");
  EXPECT_EQ(cluster.state("a"), "nEu True");
  cluster.run_to(40s);
  EXPECT_EQ(cluster.state("a"), "nu True");
}

TEST(NodeLifecycle, OneNoExecuteTaintTakesThePlaceOfTheOtherWithoutATurn) {
  WatchedCluster cluster;
  for (const char* name : {"a", "b", "c"}) cluster.add(0s, name, "True");
  cluster.run_to(31s);
  cluster.post(31s, "a", "False");
  cluster.controller.kubelet_stops(33s, "a");
  cluster.run_to(86s);
  EXPECT_EQ(cluster.state("a"), "nESu False");
  cluster.post(87s, "b", "False");
  cluster.run_to(90s + 50ms);  // seen at 35 s, and once more at 40 s
  EXPECT_EQ(cluster.state("b"), "nESu False") << "it has the turn of this look";
  cluster.run_to(95s);
  EXPECT_EQ(cluster.state("a"), "nuES Unknown");
}

TEST(NodeLifecycle, NodesOfOneLookHaveTheirTurnsByName) {
  WatchedCluster cluster;
  for (const char* name : {"d", "c", "b", "a"}) cluster.add(0s, name, "True");
  cluster.run_to(31s);
  cluster.post(32s, "b", "False");
  cluster.post(31s, "c", "False");
  cluster.run_to(44s);
  EXPECT_EQ(cluster.state("b"), "nESu False");
  EXPECT_EQ(cluster.state("c"), "nSu False");
  cluster.run_to(46s);
  EXPECT_EQ(cluster.state("c"), "nESu False");
}

TEST(NodeLifecycle, WithoutAnyReadyNodeNothingIsTaintedAndTaintsGo) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "True");
  cluster.add(0s, "b", "True");
  cluster.run_to(31s);
  cluster.post(31s, "a", "False");
  cluster.run_to(41s);
  EXPECT_EQ(cluster.state("a"), "nESu False");
  cluster.post(42s, "b", "False");
  cluster.run_to(300s);
  EXPECT_EQ(cluster.state("a"), "nSu False");
  EXPECT_EQ(cluster.state("b"), "nSu False");
}

// The removal goes by the taints from before the look.
TEST(NodeLifecycle, ATaintThatWasReplacedInTheLookThatStopsStays) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "True");
  cluster.add(0s, "b", "True");
  cluster.run_to(21s);
  cluster.post(21s, "a", "False");
  cluster.run_to(33s);
  cluster.controller.kubelet_stops(33s, "a");
  cluster.controller.kubelet_stops(33s, "b");
  cluster.run_to(200s);
  EXPECT_EQ(cluster.state("a"), "nuES Unknown");
  EXPECT_EQ(cluster.state("b"), "nuS Unknown");
}

TEST(NodeLifecycle, AfterTheStopAllNodesHaveTheirTimeAgain) {
  WatchedCluster cluster;
  for (const char* name : {"a", "b", "c"}) cluster.add(0s, name, "True");
  cluster.run_to(4s);
  for (const char* name : {"a", "b"}) cluster.post(4s, name, "False");
  cluster.run_to(31s);
  for (const char* name : {"a", "b", "c"}) cluster.controller.kubelet_stops(33s, name);
  cluster.run_to(93s);
  EXPECT_EQ(cluster.state("c"), "nuS Unknown");
  cluster.nodes["b"].taints = {};
  cluster.post(93s, "b", "True");  // it posts its status, but does not renew its lease
  cluster.run_to(145s);            // seen at 95 s, and the lease once more at 100 s
  EXPECT_EQ(cluster.state("b"), "nu True");
  cluster.run_to(155s);
  EXPECT_EQ(cluster.state("b"), "nuS Unknown");
}

TEST(NodeLifecycle, ANewNodeLosesTaintsUntilItsTurn) {
  WatchedCluster cluster;
  cluster.add(0s, "b", "True");
  WatchedNode& node = cluster.nodes["a"];
  node.name = "a";
  node.taints = {{std::string(kUnreachable), "", "NoExecute"}};
  node.conditions = {{"Ready", "True", "", "", 0s}};
  cluster.controller.node_changed(0s, node);
  cluster.run_to(0s);
  EXPECT_EQ(cluster.state("a"), "nu True");
}

TEST(NodeLifecycle, ANodeThatIsGoneUsesItsTurn) {
  WatchedCluster cluster;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) cluster.add(0s, name, "True");
  cluster.run_to(31s);
  cluster.post(31s, "a", "False");
  cluster.run_to(36s);
  cluster.post(37s, "b", "False");
  cluster.post(37s, "c", "False");
  cluster.run_to(44s);
  cluster.controller.node_gone(44s, "b");
  cluster.run_to(54s);
  EXPECT_EQ(cluster.state("c"), "nSu False");
  cluster.run_to(56s);
  EXPECT_EQ(cluster.state("c"), "nESu False");
}

TEST(NodeLifecycle, ExcludedNodesDoNotCountButAreTainted) {
  WatchedCluster cluster;
  cluster.nodes["a"].excluded = true;
  cluster.add(0s, "a", "True");
  cluster.add(0s, "b", "True");
  cluster.run_to(31s);
  cluster.post(31s, "a", "False");
  cluster.run_to(36s);
  EXPECT_EQ(cluster.state("a"), "nESu False");
  cluster.post(37s, "b", "False");
  cluster.run_to(60s);
  EXPECT_EQ(cluster.state("b"), "nSu False");
  cluster.controller.zones().states([](const std::string& /*name*/, ZoneState state) {
    EXPECT_EQ(state, ZoneState::kFullDisruption);
  });
}

TEST(NodeLifecycle, APodThatComesToANodeThatIsNotReadyIsNotReady) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "False");
  cluster.controller.pod_bound(0s, "before", "a");
  cluster.run_to(0s);
  cluster.controller.pod_bound(1s, "after", "a");
  cluster.controller.pod_bound(1s, "elsewhere", "b");
  EXPECT_EQ(cluster.told, "after;");
}

TEST(NodeLifecycle, ATaintThatSomebodyRemovesComesBack) {
  WatchedCluster cluster;
  cluster.add(0s, "a", "False");
  cluster.add(0s, "b", "True");
  cluster.run_to(6s);
  EXPECT_EQ(cluster.state("a"), "nESu False");
  cluster.nodes["a"].taints.clear();
  cluster.controller.node_changed(7s, cluster.nodes["a"]);
  EXPECT_EQ(cluster.state("a"), "nSu False");
  cluster.run_to(10s + 50ms);
  EXPECT_EQ(cluster.state("a"), "nESu False");
}

}  // namespace
}  // namespace berth::controllers
