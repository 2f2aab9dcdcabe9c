#pragma once

// The inputs that all rows share, of several hooks together: columns that are not read by row, and
// the answers of PreFilter and PreScore. If none of them changed since the last decision, a hook is
// asked again only about rows that changed: mostly no hook of the decision has anything to do with
// what changed, and one comparison tells.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/framework/evaluation/decision_context.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class SharedInputs {
 public:
  void clear() { *this = {}; }
  // Adds what the calls with a state share. The state outlives every use.
  void add(const TemplateHook& state) {
    for (const model::Column* column : state.shared)
      if (std::ranges::find(columns_, column) == columns_.end()) columns_.push_back(column);
  }

  // True if nothing differs from the last call. `scored`: PreScore has answered, and its answers
  // count.
  [[nodiscard]] bool stay(const DecisionContext& cycle, bool scored) {
    // Generations only grow, so the sum differs whenever one of them does.
    uint64_t sum = 0;
    for (const model::Column* column : columns_) sum += column->generation();
    const uint64_t pre_filter = cycle.pre_filter().number;
    const uint64_t pre_score = scored ? cycle.pre_score().number : kNotAsked;
    const bool kept = pre_filter != 0 && pre_score != 0;
    const bool same = kept && sum == sum_ && pre_filter == pre_filter_ && pre_score == pre_score_;
    sum_ = sum;
    pre_filter_ = pre_filter;
    pre_score_ = pre_score;
    return same;
  }

 private:
  static constexpr uint64_t kNotAsked = UINT64_MAX;

  std::vector<const model::Column*> columns_;
  uint64_t sum_ = 0, pre_filter_ = 0, pre_score_ = 0;
};

}  // namespace berth::framework
