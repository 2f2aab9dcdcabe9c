#pragma once

// An index of numbered selectors by a label that they require, so that a pod is matched only
// against selectors that its labels can satisfy.

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/objects/labels.h"

namespace berth::model {

// One thread adds numbers; others may call for_each() while nothing is added. A number is never
// removed: its owner builds a new index.
class LabelIndex {
 public:
  // Adds a number; numbers must be added in ascending order. `label` is a label that every match
  // has; zeros: there is none, so any pod may match.
  void add(std::pair<StringId, StringId> label, uint32_t number) {
    std::vector<uint32_t>& numbers = label.first == 0 ? any_ : by_label_[key(label)];
    BERTH_ASSERT(numbers.empty() || numbers.back() < number);
    numbers.push_back(number);
  }

  // Calls visit(number) for each number >= first whose selector may match a pod with these labels,
  // each once, but not in ascending order. The selector itself is not evaluated.
  template <typename Visit>
  void for_each(const Labels& labels, uint32_t first, Visit&& visit) const {
    visit_from(any_, first, visit);
    for (const auto& label : labels)
      if (auto at = by_label_.find(key(label)); at != by_label_.end())
        visit_from(at->second, first, visit);
  }

 private:
  static uint64_t key(std::pair<StringId, StringId> label) {
    return uint64_t{label.first} << 32 | label.second;
  }
  template <typename Visit>
  static void visit_from(const std::vector<uint32_t>& numbers, uint32_t first, Visit&& visit) {
    for (auto at = std::lower_bound(numbers.begin(), numbers.end(), first); at != numbers.end();
         ++at)
      visit(*at);
  }

  std::vector<uint32_t> any_;
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> by_label_;
};

}  // namespace berth::model
