#pragma once

// Turns the silence and the conditions of nodes into conditions and taints. Source:
// kube-controller-manager's node-lifecycle-controller, k8s.io/kubernetes pkg/controller/
// nodelifecycle, with its default settings.
//
// - It looks at the nodes every 5 s. A node that was not heard of for more than 50 s gets its
//   conditions Unknown, and its pods are not ready.
// - NoSchedule taints follow the conditions at once.
// - NoExecute taints (not-ready, unreachable) are added one by one: zones.h says how fast. If a
//   node has one of the two already, it is replaced at the next look. A node that is ready loses
//   them at the next look.
//
// Looks are at multiples of 5 s, passes that add taints at multiples of 0.1 s and 0.05 s more; in
// Kubernetes both depend on when the process starts. Nodes that one look finds have their turns by
// name, where Kubernetes leaves it to chance.
//
// Only nodes that changed, or are not well, are looked at. A look without such nodes is left out.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/conditions.h"
#include "engine/controllers/nodes/node_health.h"
#include "engine/controllers/nodes/zones.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

// A node's object as the controller reads it.
struct WatchedNode {
  std::string name;
  std::string zone;       // zone_of() its labels
  bool excluded = false;  // has the label kExcludeDisruption: it does not count in its zone
  bool unschedulable = false;
  std::vector<model::Taint> taints;
  std::vector<Condition> conditions;
  Time heartbeat{};  // lastHeartbeatTime of the condition Ready, if it has one
  Time created{};
};

inline constexpr std::string_view kExcludeDisruption = "node.kubernetes.io/exclude-disruption";

// The cluster that the controller writes to. A call may tell the controller of the change that it
// is about, but need not.
class NodeLifecycleCluster {
 public:
  virtual ~NodeLifecycleCluster() = default;

  // All taints of the node, or all its conditions, are these now. The heartbeats of conditions stay
  // as they are; a condition that was not there before has the node's creation as its heartbeat.
  virtual void set_taints(Time now, const std::string& node,
                          const std::vector<model::Taint>& taints) = 0;
  virtual void set_conditions(Time now, const std::string& node,
                              const std::vector<Condition>& conditions) = 0;
  // The condition Ready of all pods of the node, and of the pod, is False now. Pods without that
  // condition stay as they are.
  virtual void set_pods_not_ready(Time now, const std::string& node) = 0;
  virtual void set_pod_not_ready(Time now, const std::string& pod) = 0;
  // A look finds the node for the first time, or finds that it is gone.
  virtual void node_found(Time now, const std::string& node) = 0;
  virtual void node_lost(Time now, const std::string& node) = 0;
};

// One thread. `cluster` outlives it.
class NodeLifecycle {
 public:
  explicit NodeLifecycle(NodeLifecycleCluster& cluster) : cluster_(cluster) {}
  NodeLifecycle(const NodeLifecycle&) = delete;
  NodeLifecycle& operator=(const NodeLifecycle&) = delete;

  // The node appeared or changed.
  void node_changed(Time now, const WatchedNode& node);
  void node_gone(Time now, const std::string& node);
  // The node's kubelet starts: it renews the lease now, and then every 10 s at `phase`. Requires
  // that the node is there. A node whose kubelet never started has no lease.
  void kubelet_starts(Time now, const std::string& node, Time phase);
  void kubelet_stops(Time now, const std::string& node);
  // The pod was bound to the node, or appeared so.
  void pod_bound(Time now, const std::string& pod, const std::string& node);

  // When it has something to do; nothing: not until it is told of something.
  std::optional<Time> next() const;
  void run_due(Time now);

  const Zones& zones() const { return zones_; }

 private:
  struct Node {
    WatchedNode object;
    bool present = false;  // false: it is gone; its health stays, as in Kubernetes
    bool known = false;    // a look has found it
    LeaseTimes lease{};
    NodeHealth health{};
    std::optional<std::pair<std::string, bool>> counted{};  // zone and whether it was ready
    // The NoExecute taints when the present look began.
    bool was_not_ready = false, was_unreachable = false;
  };

  Node& present(const std::string& name);
  void wake(Time now, const std::string& name);
  void catch_up(Time now, Node& node);

  void look(Time now);
  void see(Time now, Node& node);
  void look_at(Time now, Node& node);
  void set_unknown(Time now, Node& node);
  void count(Node& node);
  void taint(Time now, Node& node, std::string_view status);
  void replace(Time now, Node& node, std::string_view key, std::string_view other);
  void enqueue(Time now, Node& node, bool tainted);
  void set_reachable(Time now, Node& node);
  bool is_settled(const Node& node) const;
  bool take_turn(Time now, const std::string& name);
  void plan_pass(Time now);

  NodeLifecycleCluster& cluster_;
  std::map<std::string, Node> nodes_;
  std::set<std::string> awake_;  // nodes that the next look is for
  Zones zones_;
  std::optional<Time> look_, pass_;  // the next ones
  std::optional<Time> looked_;
  // All nodes count as heard of at this time, if it was not later.
  std::optional<Time> heard_;
};

}  // namespace berth::controllers
