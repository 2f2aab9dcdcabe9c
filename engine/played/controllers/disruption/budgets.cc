#include "engine/played/controllers/disruption/budgets.h"

namespace berth::played {

controllers::Budget budget_of(const model::DisruptionBudget& object, Time now) {
  controllers::Budget budget;
  budget.namespace_name = object.namespace_name;
  budget.name = object.name;
  budget.spec = {.min_available = object.min_available,
                 .max_unavailable = object.max_unavailable,
                 .selector = object.selector,
                 .unhealthy_pods = object.unhealthy_pods};
  budget.status.observed_generation = budget.generation;
  budget.status.disruptions_allowed = object.disruptions_allowed;
  for (const std::string& pod : object.disrupted_pods)
    budget.status.disrupted_pods.emplace(pod, controllers::whole_seconds(now));
  return budget;
}

model::DisruptionBudget object_of(const controllers::Budget& budget) {
  model::DisruptionBudget object;
  object.namespace_name = budget.namespace_name;
  object.name = budget.name;
  object.selector = budget.spec.selector;
  object.disruptions_allowed = budget.status.disruptions_allowed;
  for (const auto& [pod, when] : budget.status.disrupted_pods) object.disrupted_pods.push_back(pod);
  object.min_available = budget.spec.min_available;
  object.max_unavailable = budget.spec.max_unavailable;
  object.unhealthy_pods = budget.spec.unhealthy_pods;
  return object;
}

}  // namespace berth::played
