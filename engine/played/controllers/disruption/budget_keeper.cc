#include "engine/played/controllers/disruption/budget_keeper.h"

#include <utility>
#include <variant>

#include "engine/model/objects/controller_objects.h"
#include "engine/played/controllers/disruption/budgets.h"

namespace berth::played {

BudgetKeeper::BudgetKeeper(runtime::Core& core, bool counts)
    : Controller(core),
      rules_(core.strings(), core.label_selectors(), scales_, *this),
      counts_(counts) {}

std::optional<Time> BudgetKeeper::next() const {
  if (begun_) return counts_ ? rules_.next() : std::nullopt;
  return at_first_.empty() ? std::nullopt : std::optional(now());
}

void BudgetKeeper::run_due() {
  if (!begun_) begin();
  if (counts_) rules_.run_due(now());
}

void BudgetKeeper::begin() {
  begun_ = true;
  for (const model::DisruptionBudget& budget : std::exchange(at_first_, {})) take(budget);
}

void BudgetKeeper::object_changed(model::Operation operation, const model::Object& object) {
  if (const auto* boxed = std::get_if<model::ControllerObject>(&object))
    return take_workload(operation, *boxed);
  const auto* budget = std::get_if<model::DisruptionBudget>(&object);
  if (budget == nullptr || writing_) return;
  const bool gone = operation == model::Operation::kDeleted;
  if (begun_ && gone) return rules_.budget_gone(budget->namespace_name, budget->name);
  wake();
  if (begun_) return take(*budget);
  std::erase_if(at_first_, [&](const model::DisruptionBudget& one) {
    return one.namespace_name == budget->namespace_name && one.name == budget->name;
  });
  if (!gone) at_first_.push_back(*budget);
}

// DaemonSets and Jobs have no scale.
void BudgetKeeper::take_workload(model::Operation operation,
                                 const model::ControllerObject& object) {
  const std::string of = object.kind + " " + full_name(object);
  if (operation == model::Operation::kDeleted) return scales_.forget(of);
  const auto* workload = std::get_if<model::Workload>(&object.data->value);
  if (workload == nullptr || workload->kind == model::WorkloadKind::kDaemonSet ||
      workload->kind == model::WorkloadKind::kJob)
    return;
  scales_.know(of, workload->controller, workload->namespace_name,
               static_cast<int32_t>(workload->replicas));
}

void BudgetKeeper::take(const model::DisruptionBudget& budget) {
  watch(core().strings().intern_counted(budget.namespace_name));
  const controllers::Budget known = budget_of(budget, now());
  budget.without_status ? rules_.budget_changed(known, now()) : rules_.budget_known(known);
}

void BudgetKeeper::watch(model::StringId namespace_name) {
  if (!watched_.insert(namespace_name).second) return;
  core().strings().retain(namespace_name);
  cluster().pods().for_each([&](const model::PodRecord& pod) {
    if (pod.namespace_name == namespace_name) tell(pod);
  });
}

void BudgetKeeper::pod_changed(model::PodId id) {
  const model::PodRecord& pod = cluster().pod(id);
  if (watched_.contains(pod.namespace_name)) tell(pod);
}

void BudgetKeeper::pod_ends(model::PodId id) {
  pods_not_ready_.erase(id.handle());
  const model::PodRecord& pod = cluster().pod(id);
  if (!watched_.contains(pod.namespace_name)) return;
  count(pod, false);
  rules_.pod_gone(pod.namespace_name, pod.name, now());
}

void BudgetKeeper::tell(const model::PodRecord& pod) {
  const model::PodTemplates& templates = cluster().templates();
  count(pod, !pod.terminating);
  rules_.pod_changed(
      {.namespace_name = pod.namespace_name,
       .name = pod.name,
       .labels = &templates.labels(pod.labels),
       .owner = pod.controller == 0 ? nullptr : &templates.controller(pod.controller),
       .ready = is_ready(pod),
       .terminating = pod.terminating,
       .disrupted_since = {}},
      now());
}

bool BudgetKeeper::is_ready(const model::PodRecord& pod) const {
  return is_bound(pod) && pod.ready != model::PodReady::kFalse &&
         !not_ready_.contains(name(pod.slot)) && !pods_not_ready_.contains(pod.id.handle());
}

// In the scale of its workload.
void BudgetKeeper::count(const model::PodRecord& pod, bool counts) {
  const model::PodTemplates& templates = cluster().templates();
  const std::string_view in = cluster().text(pod.namespace_name);
  const auto counted = counted_.find(pod.id.handle());
  const bool before = counted != counted_.end();
  if (before && counts && counted->second == pod.controller) return;
  if (before) {
    scales_.remove(templates.controller(counted->second), in);
    core().templates().release_controller(counted->second);
    counted_.erase(counted);
  }
  if (!counts || pod.controller == 0) return;
  scales_.add(templates.controller(pod.controller), in);
  core().templates().retain_controller(pod.controller);
  counted_.emplace(pod.id.handle(), pod.controller);
}

void BudgetKeeper::pods_are_ready(const std::string& node, bool ready) {
  if (ready) {
    not_ready_.erase(node);
  } else {
    not_ready_.insert(node);
  }
  for (const model::PodId pod : cluster().pods_on(node)) {
    if (ready) pods_not_ready_.erase(pod.handle());
    pod_changed(pod);
  }
}

void BudgetKeeper::pod_is_not_ready(model::PodId pod) {
  wake();  // to hear that the pod ends
  if (pods_not_ready_.insert(pod.handle()).second) pod_changed(pod);
}

void BudgetKeeper::status_written(const controllers::Budget& budget) {
  write_status(budget);
  counts_ ? rules_.budget_changed(budget, now()) : rules_.budget_known(budget);
}

void BudgetKeeper::write_status(const controllers::Budget& budget) {
  writing_ = true;
  core().door().put(object_of(budget));
  writing_ = false;
}

// Pods have no such condition here: one that is evicted terminates at once.
void BudgetKeeper::clear_disruption_target(model::StringId, model::StringId) {}

}  // namespace berth::played
