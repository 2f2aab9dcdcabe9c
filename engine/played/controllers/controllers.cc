#include "engine/played/controllers/controllers.h"

#include <utility>

#include "engine/played/controllers/disruption/budget_keeper.h"
#include "engine/played/controllers/disruption/drains.h"
#include "engine/played/controllers/disruption/evictions.h"
#include "engine/played/controllers/kubelets/container_runs.h"
#include "engine/played/controllers/kubelets/kubelets.h"
#include "engine/played/controllers/nodes/garbage_collector.h"
#include "engine/played/controllers/nodes/node_lifecycles.h"
#include "engine/played/controllers/nodes/stopped_kubelets.h"
#include "engine/played/controllers/nodes/taint_evictions.h"
#include "engine/played/workloads/workload_controllers.h"

namespace berth::played {

// Containers end before anything that happens at the same time. Conditions become taints before
// taints evict, workloads replace what was evicted, and budgets are counted when all is done.
// Kubectl comes last.
Controllers::Controllers(runtime::Core& core, Evictor& evictor, const ControllerList& list,
                         OnDrain on_drain)
    : core_(core),
      evictor_(evictor),
      stopped_(std::make_unique<StoppedKubelets>(core, evictor)),
      budgets_(std::make_unique<BudgetKeeper>(core, list.has(ControllerName::kDisruption))) {
  const auto join = [&](auto& made) { core.join(*made); };
  join(stopped_);
  if (list.has(ControllerName::kKubelet)) {
    join(runs_ = std::make_unique<ContainerRuns>(core, *stopped_));
    core.wake(*runs_);  // any pod may say how long it runs
  }
  if (list.has(ControllerName::kNodeLifecycle))
    join(lifecycles_ = std::make_unique<NodeLifecycles>(core, *stopped_, budgets_.get()));
  if (list.has(ControllerName::kKubelet))
    join(kubelets_ = std::make_unique<Kubelets>(core, *stopped_, *runs_, lifecycles_.get()));
  if (list.has(ControllerName::kTaintEviction))
    join(taints_ = std::make_unique<TaintEvictions>(core, evictor));
  if (list.has(ControllerName::kPodGarbage))
    join(garbage_ = std::make_unique<GarbageCollector>(core, evictor, lifecycles_.get()));
  if (list.create_pods())
    join(workloads_ = std::make_unique<WorkloadControllers>(core, evictor, *budgets_,
                                                            kubelets_.get(), list));
  join(budgets_);
  const auto answers = [this](const model::EvictionRequest& request, std::string_view cause) {
    return answer(request, cause);
  };
  join(drains_ = std::make_unique<Drains>(core, evictor, answers, std::move(on_drain)));
}

controllers::ApiStatus Controllers::answer(const model::EvictionRequest& request,
                                           std::string_view cause) {
  // The controller has seen what was bound until now, but none of the evictions of this moment.
  if (std::exchange(answered_at_, core_.now()) == core_.now())
    budgets_->begin_if_new();
  else
    budgets_->run_due();
  return answer_eviction(request, core_, *budgets_, evictor_, cause);
}

bool Controllers::is_silent(const std::string& node) const { return stopped_->is_silent(node); }

std::vector<std::string> Controllers::measured_without_pod() const {
  return kubelets_ == nullptr ? std::vector<std::string>() : kubelets_->measured_without_pod();
}

void Controllers::pod_starts(model::PodId pod) {
  if (kubelets_ != nullptr) kubelets_->pod_starts(pod);
}

Controllers::~Controllers() = default;

}  // namespace berth::played
