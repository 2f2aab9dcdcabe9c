#pragma once

// disruption-controller: how many disruptions each PodDisruptionBudget allows. Preemption and
// evictions spare pods by it. See controllers/disruption/disruption_controller.h.
//
// What exists when time begins to pass is the beginning: a budget that has a status keeps it until
// something about the budget or its pods changes, and all others are counted.
//
// A pod is ready while it is bound, unless its object says that it is not, or the node lifecycle
// controller does (readiness.h). The scale of a workload is what its object asks for, or else the
// most pods that it had at one time.
//
// Namespaces without a budget cost nothing.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/controllers/disruption/disruption_controller.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/disruption/readiness.h"
#include "engine/played/controllers/disruption/seen_scales.h"

namespace berth::played {

class BudgetKeeper final : public Controller,
                           public Readiness,
                           private controllers::DisruptionWriter {
 public:
  // Without `counts` the controller is off: statuses stay as they are, but for what evictions
  // write.
  BudgetKeeper(runtime::Core& core, bool counts);

  std::optional<Time> next() const override;
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void pod_changed(model::PodId pod) override;
  void pod_ends(model::PodId pod) override;
  void pods_are_ready(const std::string& node, bool ready) override;
  void pod_is_not_ready(model::PodId pod) override;

  // The budgets that select the pod; see DisruptionController::budgets_of().
  std::vector<const controllers::Budget*> budgets_of(const model::PodRecord& pod) const {
    return rules_.budgets_of(pod.namespace_name, pod.name);
  }
  bool is_ready(const model::PodRecord& pod) const;
  // What exists now is the beginning, if time has not passed yet.
  void begin_if_new() {
    if (!begun_) run_due();
  }
  // The API server wrote the status.
  void status_written(const controllers::Budget& budget);

 private:
  void write_status(const controllers::Budget& budget) override;
  void clear_disruption_target(model::StringId namespace_name, model::StringId name) override;

  void begin();
  void take_workload(model::Operation operation, const model::ControllerObject& object);
  void take(const model::DisruptionBudget& budget);
  void watch(model::StringId namespace_name);
  void tell(const model::PodRecord& pod);
  void count(const model::PodRecord& pod, bool counts);

  SeenScales scales_;
  controllers::DisruptionController rules_;
  const bool counts_;
  bool begun_ = false;
  bool writing_ = false;
  std::vector<model::DisruptionBudget> at_first_;  // before it begins
  std::set<model::StringId> watched_;              // namespaces with budgets, retained
  // Pods in the scales, by handle, with their controllers, retained.
  boost::unordered_flat_map<uint64_t, model::ControllerId> counted_;
  std::set<std::string, std::less<>> not_ready_;  // nodes whose pods are not ready
  std::set<uint64_t> pods_not_ready_;             // single pods that were told of, by handle
};

}  // namespace berth::played
