#pragma once

// node-lifecycle-controller, and the kubelets that it listens to: nodes that are not ready, or
// under pressure, get taints. See controllers/nodes/node_lifecycle.h.
//
// What a node's object says of its condition Ready is what the API server has: Unknown means that
// the kubelet fell silent before. A node that never had the condition counts as ready, and its
// taints are left as they are: manifests have such nodes. Kubelets renew their leases 2 s, 12 s,
// 22 s ... after the beginning. The annotation "berth/kubelet: stopped" stops the node's kubelet:
// the controller finds out by itself, 50 s later, and when the annotation goes the node is ready
// again.
//
// As long as all nodes are well, nothing happens: then there are no events of nodes that come and
// go, either.

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/controllers/nodes/node_lifecycle.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/disruption/readiness.h"
#include "engine/played/controllers/nodes/stopped_kubelets.h"

namespace berth::played {

class NodeLifecycles final : public Controller, private controllers::NodeLifecycleCluster {
 public:
  // All of them outlive it. `readiness` may be null.
  NodeLifecycles(runtime::Core& core, const StoppedKubelets& stopped, Readiness* readiness)
      : Controller(core), stopped_(stopped), readiness_(readiness) {}

  std::optional<Time> next() const override { return rules_.next(); }
  bool unfinished() const override { return !open_.empty(); }
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void pod_bound(model::PodId pod) override;

  // As the API server has it: what the node's object said, and what the controller wrote since.
  bool is_ready(const std::string& node) const;

  using Conditions = std::vector<controllers::Condition>;
  // Conditions that the node's kubelet writes, in the place of those in its object, until the node
  // goes or its kubelet stops. Precondition: the node exists. As a call of run_due().
  void set_pressures(const std::string& node, const Conditions& pressures);

 private:
  static constexpr Time kPhase = std::chrono::seconds(2);

  void set_taints(Time now, const std::string& node,
                  const std::vector<model::Taint>& taints) override;
  void set_conditions(Time now, const std::string& node, const Conditions& conditions) override;
  void set_pods_not_ready(Time now, const std::string& node) override;
  void set_pod_not_ready(Time now, const std::string& pod) override;
  void node_found(Time now, const std::string& node) override;
  void node_lost(Time now, const std::string& node) override;

  bool is_watched(const model::Node& node) const;
  // Such a node gets and loses no taint.
  bool is_well(const model::Node& node) const;
  bool is_silent(const std::string& node) const;
  bool is_settled(const std::string& node) const;
  void take_conditions(const model::Node& node);
  void put_pressures(Conditions& conditions, const std::string& node) const;
  void start();
  void see(model::Slot node);
  void run_kubelet(const std::string& node, bool runs);
  void tell_readiness(const std::string& node, bool ready);

  const StoppedKubelets& stopped_;
  Readiness* const readiness_;
  controllers::NodeLifecycle rules_{*this};
  bool started_ = false;  // some node is, or was, not well
  // Of nodes that have, or had, the condition Ready or the annotation.
  std::map<std::string, Conditions, std::less<>> conditions_;
  std::map<std::string, Conditions, std::less<>> pressures_;  // that kubelets of the run told
  // Nodes that may get or lose a taint as time passes; those that are not well are looked at for
  // ever.
  std::set<std::string, std::less<>> open_;
  std::map<std::string, bool, std::less<>>
      kubelets_;  // of nodes that the rules know; true: it runs
  // Nodes of which a pod was told not to be ready. One that goes stays: only a kubelet of its name
  // tells that its pods are ready again.
  std::set<std::string, std::less<>> pods_not_ready_;
  // Nodes that were there when it started. It had found them before the run.
  std::set<std::string, std::less<>> found_before_;
};

}  // namespace berth::played
