#pragma once

// Nodes with their kubelets and pods, in an API server that the node lifecycle controller writes
// to.
//
// A kubelet that is up renews its lease at 2, 12, 22, ... s. It says that it is ready and without
// pressure, unless the node's object or set_condition() say otherwise. It posts conditions that
// differ from the node's: at once, or for a new node with the next renewal.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/controllers/conditions.h"
#include "engine/controllers/nodes/node_lifecycle.h"
#include "engine/document/document.h"

namespace berth::conformance {

struct PlayedNode {
  controllers::WatchedNode object;
  bool up = false;                           // the kubelet
  std::vector<controllers::Condition> says;  // what the kubelet posts
};

struct PlayedPod {
  std::string node;
  std::string ready;  // status of the condition; empty: it has none
};

class PlayedNodes final : private controllers::NodeLifecycleCluster {
 public:
  // Creates a Node or Pod. Nothing if there is one of its name.
  void create(Time now, document::Value object);
  void erase(Time now, const std::string& node);
  // These do nothing if there is no such node.
  void start_kubelet(Time now, const std::string& node);  // it says that it is ready
  void stop_kubelet(Time now, const std::string& node);
  void set_condition(Time now, const std::string& node, const std::string& type,
                     const std::string& status);
  void cordon(Time now, const std::string& node, bool on);
  void replace_taints(Time now, const std::string& node, std::vector<model::Taint> taints);

  std::optional<Time> next() const;
  void run_due(Time now);

  const std::map<std::string, PlayedNode>& nodes() const { return nodes_; }
  const std::map<std::string, PlayedPod>& pods() const { return pods_; }
  const controllers::Zones& zones() const { return controller_.zones(); }
  // True if anything changed since the last call.
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  void set_taints(Time now, const std::string& node,
                  const std::vector<model::Taint>& taints) override;
  void set_conditions(Time now, const std::string& node,
                      const std::vector<controllers::Condition>& conditions) override;
  void set_pods_not_ready(Time now, const std::string& node) override;
  void set_pod_not_ready(Time now, const std::string& pod) override;
  void node_found(Time, const std::string&) override {}  // cases have no events of that
  void node_lost(Time, const std::string&) override {}

  void create_node(Time now, document::Value object);
  void create_pod(Time now, document::Value object);
  PlayedNode* find(const std::string& node);
  void tell(Time now, const PlayedNode& node);
  void post(Time now, PlayedNode& node);

  controllers::NodeLifecycle controller_{*this};
  std::map<std::string, PlayedNode> nodes_;
  std::map<std::string, PlayedPod> pods_;
  std::set<std::string> unposted_;  // new nodes whose kubelets post with the next renewal
  std::optional<Time> post_;        // when they do
  bool changed_ = false;
};

}  // namespace berth::conformance
