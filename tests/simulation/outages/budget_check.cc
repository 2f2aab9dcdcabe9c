#include "tests/simulation/outages/budget_check.h"

#include <algorithm>
#include <set>
#include <utility>

namespace berth::simulation {
namespace {

// Rounded up, as the API does.
int64_t pods_of(const model::PodAmount& amount, uint64_t replicas) {
  if (!amount.percent) return amount.number;
  return (static_cast<int64_t>(replicas) * amount.number + 99) / 100;
}

}  // namespace

BudgetCheck::BudgetCheck(const OutageWorld& world) {
  for (const model::DisruptionBudget& budget : world.budgets)
    budgets_[budget.name] = {.object = budget,
                             .workload = budget.selector->match_labels.front().second};
  for (const DrawnWorkload& one : world.workloads)
    scales_[one.object.name].replicas = one.object.replicas;
}

void BudgetCheck::scaled(const std::string& workload, uint64_t replicas) {
  Scale& scale = scales_.at(workload);
  scale.former = std::min(scale.former.value_or(scale.replicas), scale.replicas);
  scale.replicas = replicas;
}

void BudgetCheck::pod_changed(const std::string& workload) {
  if (const auto at = scales_.find(workload); at != scales_.end()) at->second.former.reset();
}

void BudgetCheck::rests() {
  unhealthy_.clear();
  core_->cluster().pods().for_each([&](const model::PodRecord& pod) {
    if (health_of(core_->cluster(), pod) == Health::kUnhealthy) unhealthy_.insert(pod.id);
  });
  for (auto& [name, budget] : budgets_) {
    budget.most_healthy = count_pods(*core_, budget.workload).healthy;
    budget.least_desired = least_desired(budget);
    budget.evictions = 0;
  }
}

int64_t BudgetCheck::desired(const Budget& budget, uint64_t replicas) const {
  if (budget.object.min_available) return pods_of(*budget.object.min_available, replicas);
  const auto all = static_cast<int64_t>(replicas);
  return std::max<int64_t>(0, all - pods_of(*budget.object.max_unavailable, replicas));
}

int64_t BudgetCheck::least_desired(const Budget& budget) const {
  const Scale& scale = scales_.at(budget.workload);
  const int64_t now = desired(budget, scale.replicas);
  return scale.former ? std::min(now, desired(budget, *scale.former)) : now;
}

std::string BudgetCheck::evicted(const model::PodRecord& pod) {
  if (pod.terminating || pod.state != model::PodState::kBound) return {};  // no budget is asked
  const std::string workload = workload_of(core_->cluster(), pod);
  std::vector<Budget*> all;
  for (auto& [name, budget] : budgets_)
    if (budget.workload == workload) all.push_back(&budget);
  if (all.size() > 1) return "it has several budgets";
  return all.empty() ? std::string() : judge(*all.front(), pod);
}

std::string BudgetCheck::judge(Budget& budget, const model::PodRecord& pod) {
  const int64_t left = count_pods(*core_, budget.workload, pod.id).healthy;
  Health health = health_of(core_->cluster(), pod);
  // A node's object without taints hides for a moment that its kubelet is silent.
  if (health == Health::kHealthy && unhealthy_.contains(pod.id)) health = Health::kDoubtful;
  budget.most_healthy = std::max(budget.most_healthy, left + (health != Health::kUnhealthy));
  budget.least_desired = std::min(budget.least_desired, least_desired(budget));
  const int64_t wanted = least_desired(budget);
  if (health != Health::kHealthy) {
    if (budget.object.unhealthy_pods == model::UnhealthyPods::kAlwaysAllow) return {};
    if (budget.most_healthy >= budget.least_desired) return {};
  }
  ++budget.evictions;
  if (left >= wanted || budget.most_healthy - budget.evictions >= budget.least_desired) return {};
  return "budget " + budget.object.name + " wants " + std::to_string(wanted) + " pods, and " +
         std::to_string(left) + " are left";
}

void BudgetCheck::told(const model::DisruptionBudget& budget) {
  budgets_.at(budget.name).object.disruptions_allowed = budget.disruptions_allowed;
}

// Of several budgets of a pod the controller counts the first one by name.
std::string BudgetCheck::wrong_status() const {
  std::set<std::string> counted;
  for (const auto& [name, budget] : budgets_) {
    if (!counted.insert(budget.workload).second) continue;
    const PodCount count = count_pods(*core_, budget.workload);
    const int64_t wanted = desired(budget, scales_.at(budget.workload).replicas);
    const int64_t allowed = count.pods == 0 ? 0 : std::max<int64_t>(0, count.healthy - wanted);
    if (budget.object.disruptions_allowed != allowed)
      return "budget " + name + " allows " + std::to_string(budget.object.disruptions_allowed) +
             " disruptions in place of " + std::to_string(allowed);
  }
  return {};
}

}  // namespace berth::simulation
