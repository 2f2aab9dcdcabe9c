#include "engine/framework/decision/diagnosis.h"

#include <algorithm>

#include "engine/framework/evaluation/nominated.h"
#include "engine/framework/evaluation/row_filter.h"

namespace berth::framework {
namespace {

std::string available(uint64_t nodes) {
  return "0/" + std::to_string(nodes) + " nodes are available:";
}

}  // namespace

std::string fit_error(uint64_t nodes, const ReasonCounts& reasons) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : reasons) parts.push_back(std::to_string(count) + " " + reason);
  std::sort(parts.begin(), parts.end());
  std::string text = available(nodes);
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " " : ", ") + parts[i];
  return parts.empty() ? text : text + ".";
}

std::string fit_error(uint64_t nodes, const std::string& pre_filter_message) {
  return available(nodes) + " " + pre_filter_message + ".";
}

void ReasonCounter::add_row(const DecisionContext& cycle, const SearchResult& search_result,
                            model::Row row, ReasonCounts& counts) {
  for (std::string& reason : rows_.reasons(cycle, search_result.refuser[row] - size_t{1}, row))
    ++counts[std::move(reason)];
}

ReasonCounts ReasonCounter::count(const DecisionContext& cycle, const SearchResult& search_result) {
  std::vector<std::vector<model::Row>> refused(cycle.profile->filter.size());
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] != kFeasible && search_result.refuser[row] != kByExtender)
      refused[search_result.refuser[row] - size_t{1}].push_back(row);
  });
  ReasonCounts counts;
  for (size_t i = 0; i < refused.size(); ++i)
    if (!refused[i].empty()) count_filter(cycle, i, refused[i], search_result, counts);
  return counts;
}

void ReasonCounter::count_filter(const DecisionContext& cycle, size_t filter,
                                 const std::vector<model::Row>& rows,
                                 const SearchResult& search_result, ReasonCounts& counts) {
  auto& hook = cycle.profile->filter[filter];
  const TemplateHook& state = *cycle.filter_states[filter];

  // Rows that nominations may have refused are asked under their overlay, one by one.
  std::vector<uint32_t> positions;
  const uint32_t* codes =
      hook.bound.over_dictionary() ? hook.bound.space_column().values<uint32_t>() : nullptr;
  for (model::Row row : rows) {
    if (!cluster_.nodes().nominated_slots().empty() && any_nominated(cluster_, row, cycle)) {
      add_row(cycle, search_result, row, counts);
    } else {
      positions.push_back(codes != nullptr ? codes[row] : row);
    }
  }
  if (positions.empty()) return;

  std::vector<uint32_t> ids(positions.size());
  hook.bound.gather(state, positions, nullptr, columns_);
  berth_call call = BoundHook::call(columns_, positions.size(), &state, cycle.ran(hook));
  if (host::CallError error = hook.point->reasons(calls_, call, ids)) {
    counts[error.text()] += positions.size();
    return;
  }
  // Counts by reason, and by position too where the text depends on it.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> distinct;
  for (size_t i = 0; i < positions.size(); ++i) {
    bool of_position = codes != nullptr || (ids[i] & BERTH_REASON_OF_POSITION) != 0;
    auto [at, fresh] = distinct.try_emplace({ids[i], of_position ? positions[i] : UINT32_MAX}, 0);
    ++at->second;
    if (!fresh) continue;
    // Asked for at the first position that has it.
    at->second |= uint64_t{i} << 32;
  }
  for (const auto& [key, value] : distinct) {
    uint32_t position = positions[value >> 32];
    hook.bound.gather(state, {&position, 1}, nullptr, columns_);
    berth_call one = BoundHook::call(columns_, 1, &state, cycle.ran(hook));
    std::vector<std::string> texts;
    if (host::CallError error = hook.point->describe(calls_, one, key.first, texts))
      texts.assign(1, error.text());
    for (std::string& text : texts) counts[std::move(text)] += value & UINT32_MAX;
  }
}

}  // namespace berth::framework
