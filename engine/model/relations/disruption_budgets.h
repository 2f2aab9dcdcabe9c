#pragma once

// PodDisruptionBudgets: which of them cover a pod, and how many of their pods may still be evicted.
// Source: kube-scheduler plugins/defaultpreemption.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/memory/arena.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/strings.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

// A budget has a position in the table of budgets from `put` to `remove`; positions are used again.
// Retains the selectors of its budgets and the names of their namespaces. One thread changes it;
// any thread may read while nobody does.
class DisruptionBudgets {
 public:
  DisruptionBudgets(Arena& arena, Strings& strings, LabelSelectors& selectors, ChangeLog& log)
      : strings_(strings), selectors_(selectors), log_(log), allowed_(arena, BERTH_I64, false) {}

  // Adds the budget, or replaces the one of its name.
  void put(const DisruptionBudget& object);
  bool remove(std::string_view namespace_name, std::string_view name);  // false: there is none
  uint64_t size() const { return budgets_.size() - free_.size(); }

  // Appends the positions of the budgets that an eviction of the pod would be charged to, in
  // ascending order. A pod without labels has none, and neither has one that the API server is
  // disrupting already.
  void find(const PodRecord& pod, const Labels& labels, std::vector<uint32_t>& out) const;
  // I64 by position: disruptions that are allowed.
  const Column& allowed() const { return allowed_; }

 private:
  struct Budget {
    std::string name;
    LabelSelectors::Handle selector = LabelSelectors::kNothing;
    std::vector<std::string> disrupted_pods;  // sorted
  };

  Strings& strings_;
  LabelSelectors& selectors_;
  ChangeLog& log_;
  std::vector<Budget> budgets_;  // by position
  std::vector<uint32_t> free_;   // positions without a budget
  boost::unordered_flat_map<StringId, std::vector<uint32_t>> by_namespace_;  // ascending
  Column allowed_;
};

}  // namespace berth::model
