#include "engine/model/relations/disruption_budgets.h"

#include <algorithm>

namespace berth::model {

void DisruptionBudgets::put(const DisruptionBudget& object) {
  const StringId in = strings_.intern_counted(object.namespace_name);
  const auto [budgets, first] = by_namespace_.try_emplace(in);
  if (first) strings_.retain(in);
  std::vector<uint32_t>& known = budgets->second;
  auto at = std::find_if(known.begin(), known.end(),
                         [&](uint32_t position) { return budgets_[position].name == object.name; });
  const bool fresh = at == known.end();
  if (fresh) {
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(budgets_.size()));
      budgets_.emplace_back();
      allowed_.resize(budgets_.size());
    }
    at = known.insert(std::upper_bound(known.begin(), known.end(), free_.back()), free_.back());
    free_.pop_back();
  }
  const uint32_t position = *at;
  const LabelSelectors::Handle selector = selectors_.of(object.selector);
  selectors_.retain(selector);
  if (!fresh) selectors_.release(budgets_[position].selector);
  budgets_[position] = {object.name, selector, object.disrupted_pods};
  allowed_.values<int64_t>()[position] = object.disruptions_allowed;
  allowed_.touch();
  log_.append(Table::kBudgets, position, change::kValue);
}

bool DisruptionBudgets::remove(std::string_view namespace_name, std::string_view name) {
  auto in = by_namespace_.find(strings_.find(namespace_name));
  if (in == by_namespace_.end()) return false;
  std::vector<uint32_t>& known = in->second;
  auto at = std::find_if(known.begin(), known.end(),
                         [&](uint32_t position) { return budgets_[position].name == name; });
  if (at == known.end()) return false;
  const uint32_t position = *at;
  known.erase(at);
  if (known.empty()) {
    strings_.release(in->first);
    by_namespace_.erase(in);
  }
  selectors_.release(budgets_[position].selector);
  budgets_[position] = {};
  free_.push_back(position);
  allowed_.values<int64_t>()[position] = 0;
  allowed_.touch();
  log_.append(Table::kBudgets, position, change::kValue);
  return true;
}

void DisruptionBudgets::find(const PodRecord& pod, const Labels& labels,
                             std::vector<uint32_t>& out) const {
  if (labels.empty()) return;
  const auto in = by_namespace_.find(pod.namespace_name);
  if (in == by_namespace_.end()) return;
  for (const uint32_t position : in->second) {
    const Budget& budget = budgets_[position];
    if (selectors_.everything(budget.selector) || !selectors_.matches(budget.selector, labels))
      continue;
    const std::string_view name = strings_.text(pod.name);
    if (!std::binary_search(budget.disrupted_pods.begin(), budget.disrupted_pods.end(), name))
      out.push_back(position);
  }
}

}  // namespace berth::model
