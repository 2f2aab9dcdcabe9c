#pragma once

// The controllers that a run plays.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/controllers/disruption/eviction.h"
#include "engine/played/controllers/controller_list.h"
#include "engine/played/controllers/evictor.h"
#include "engine/runtime/core.h"

namespace berth::played {

class BudgetKeeper;
class ContainerRuns;
class Drains;
class GarbageCollector;
class Kubelets;
class NodeLifecycles;
class StoppedKubelets;
class TaintEvictions;
class WorkloadControllers;

class Controllers {
 public:
  // A line that kubectl prints when it drains the node.
  using OnDrain = std::function<void(std::string_view node, std::string_view line)>;

  // Makes those of the list, and lets them join the core. Core and evictor outlive the last call of
  // the core. `on_drain` may be empty.
  Controllers(runtime::Core& core, Evictor& evictor, const ControllerList& list, OnDrain on_drain);
  ~Controllers();

  // See answer_eviction().
  controllers::ApiStatus answer(const model::EvictionRequest& request, std::string_view cause);
  // See StoppedKubelets::is_silent().
  bool is_silent(const std::string& node) const;
  // See Kubelets::measured_without_pod().
  std::vector<std::string> measured_without_pod() const;
  // See Kubelets::pod_starts().
  void pod_starts(model::PodId pod);
  // Nodes are drained whatever the list says: kubectl does it.
  Drains& drains() { return *drains_; }
  const Drains& drains() const { return *drains_; }

 private:
  runtime::Core& core_;
  Evictor& evictor_;
  // First: others refer to them.
  std::unique_ptr<StoppedKubelets> stopped_;
  std::unique_ptr<BudgetKeeper> budgets_;
  std::unique_ptr<ContainerRuns> runs_;
  std::unique_ptr<NodeLifecycles> lifecycles_;
  std::unique_ptr<Kubelets> kubelets_;
  std::unique_ptr<TaintEvictions> taints_;
  std::unique_ptr<GarbageCollector> garbage_;
  std::unique_ptr<WorkloadControllers> workloads_;
  std::unique_ptr<Drains> drains_;
  std::optional<Time> answered_at_;  // the last request to evict
};

}  // namespace berth::played
