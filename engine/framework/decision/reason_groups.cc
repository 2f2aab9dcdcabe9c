#include "engine/framework/decision/reason_groups.h"

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

void ReasonGroups::divide(const DecisionContext& context, size_t filter,
                          const std::vector<model::Row>& rows) {
  rows_.clear();
  groups_.clear();
  texts_.clear();
  good_ = true;
  divide_nominated(context, filter, rows);
  if (!unchanged_.empty()) divide_unchanged(context, filter);
}

// Rows that nominations may have refused are asked under their overlay, one by one.
void ReasonGroups::divide_nominated(const DecisionContext& context, size_t filter,
                                    const std::vector<model::Row>& rows) {
  unchanged_.clear();
  std::map<std::vector<std::string>, uint32_t> known;
  for (const model::Row row : rows) {
    if (!any_nominated(cluster_, row, context)) {
      unchanged_.push_back(row);
      continue;
    }
    const auto [at, fresh] = known.try_emplace(filter_.reasons(context, filter, row), 0);
    if (fresh) at->second = add(at->first);
    rows_.push_back(row);
    groups_.push_back(at->second);
  }
}

void ReasonGroups::divide_unchanged(const DecisionContext& context, size_t filter) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook& state = *context.filter_states()[filter];
  const bool by_code = hook.bound.over_dictionary();
  positions_ = unchanged_;
  if (by_code) {
    const uint32_t* codes = hook.bound.space_column().values<uint32_t>();
    for (uint32_t& position : positions_) position = codes[position];
  }
  ids_.assign(positions_.size(), 0);
  hook.bound.gather(state, positions_, nullptr, columns_);
  berth_call call = BoundHook::call(columns_, positions_.size(), &state, context.ran(hook));
  rows_.insert(rows_.end(), unchanged_.begin(), unchanged_.end());
  if (host::CallError error = hook.point->reasons(calls_, call, ids_)) {
    good_ = false;
    groups_.insert(groups_.end(), unchanged_.size(), add({error.text()}));
    return;
  }
  by_reason_.clear();
  // Neighbours mostly have the same reason.
  Reason last{};
  uint32_t group = UINT32_MAX;
  for (size_t i = 0; i < ids_.size(); ++i) {
    const bool of_position = by_code || (ids_[i] & BERTH_REASON_OF_POSITION) != 0;
    const Reason reason{ids_[i], of_position ? positions_[i] : UINT32_MAX};
    if (group == UINT32_MAX || reason != last)
      group = group_of(context, filter, reason, positions_[i]);
    last = reason;
    groups_.push_back(group);
  }
}

// The texts of a reason are asked for at the first position that has it.
uint32_t ReasonGroups::group_of(const DecisionContext& context, size_t filter, Reason reason,
                                uint32_t position) {
  const auto [at, fresh] = by_reason_.try_emplace(reason, 0);
  if (!fresh) return at->second;
  const auto& hook = context.profile->filter[filter];
  const TemplateHook& state = *context.filter_states()[filter];
  hook.bound.gather(state, {&position, 1}, nullptr, one_);
  berth_call call = BoundHook::call(one_, 1, &state, context.ran(hook));
  std::vector<std::string> texts;
  if (host::CallError error = hook.point->describe(calls_, call, reason.first, texts)) {
    good_ = false;
    texts.assign(1, error.text());
  }
  return at->second = add(std::move(texts));
}

uint32_t ReasonGroups::add(std::vector<std::string> texts) {
  texts_.push_back(std::move(texts));
  return static_cast<uint32_t>(texts_.size() - 1);
}

}  // namespace berth::framework
