#pragma once

// The controllers that a run plays.

#include <memory>

#include "engine/controllers/disruption/eviction.h"
#include "engine/played/controllers/controller_list.h"
#include "engine/played/controllers/evictor.h"
#include "engine/runtime/core.h"

namespace berth::played {

class BudgetKeeper;
class ContainerRuns;
class GarbageCollector;
class Kubelets;
class NodeLifecycles;
class TaintEvictions;
class WorkloadControllers;

class Controllers {
 public:
  // Makes those of the list, and lets them join the core. Core and evictor outlive the last call of
  // the core.
  Controllers(runtime::Core& core, Evictor& evictor, const ControllerList& list);
  ~Controllers();

  // See answer_eviction().
  controllers::ApiStatus answer(const model::EvictionRequest& request);
  // See Kubelets::pod_starts().
  void pod_starts(model::PodId pod);

 private:
  runtime::Core& core_;
  Evictor& evictor_;
  std::unique_ptr<BudgetKeeper> budgets_;  // first: others refer to it
  std::unique_ptr<ContainerRuns> runs_;
  std::unique_ptr<NodeLifecycles> lifecycles_;
  std::unique_ptr<Kubelets> kubelets_;
  std::unique_ptr<TaintEvictions> taints_;
  std::unique_ptr<GarbageCollector> garbage_;
  std::unique_ptr<WorkloadControllers> workloads_;
};

}  // namespace berth::played
