#include "engine/framework/evaluation/row_filter.h"

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {
std::string filter_error(const std::string& plugin, const std::string& text) {
  return "running \"" + plugin + "\" filter plugin: " + text;
}

std::string score_error(const std::string& plugin, const std::string& text) {
  return "running Score plugins: plugin \"" + plugin + "\" failed with: " + text;
}

RowVerdict RowFilter::check(const DecisionContext& cycle, model::Row row) {
  if (!cluster_.nodes().nominated_slots().empty()) {
    std::vector<model::PodOnNode> nominated = nominated_on(cluster_, row, cycle);
    if (!nominated.empty()) {
      Overlay overlay = overlay_with(cluster_, row, nominated);
      RowVerdict with = pass(cycle, row, &overlay);
      if (with.refuser != kFeasible) return with;
    }
  }
  return pass(cycle, row, nullptr);
}

RowVerdict RowFilter::pass(const DecisionContext& cycle, model::Row row, const Overlay* overlay) {
  auto& filters = cycle.profile->filter;
  for (size_t i = 0; i < filters.size(); ++i) {
    if (!cycle.calls(filters[i])) continue;
    RowVerdict result;
    result.code = verdict(cycle, i, row, overlay, result.error);
    if (result.code == BERTH_SUCCESS) continue;
    result.refuser = static_cast<Refuser>(i + 1);
    return result;
  }
  return {};
}

berth_call RowFilter::call(const DecisionContext& cycle, size_t filter, model::Row row,
                           const Overlay* overlay) {
  auto& hook = cycle.profile->filter[filter];
  TemplateHook& state = hook.bound.of(*cycle.pod, worker_);
  uint32_t position = row;
  if (hook.bound.over_dictionary()) {
    berth_column codes = cluster_.view(hook.bound.space());
    position = overlay != nullptr ? overlay->code(hook.bound.space(), codes)
                                  : static_cast<const uint32_t*>(codes.data)[row];
  }
  hook.bound.gather(state, {&position, 1}, overlay, columns_);
  return BoundHook::call(columns_, 1, &state, cycle.ran(hook));
}

uint8_t RowFilter::verdict(const DecisionContext& cycle, size_t filter, model::Row row,
                           const Overlay* overlay, std::string& error) {
  auto& hook = cycle.profile->filter[filter];
  TemplateHook& state = hook.bound.of(*cycle.pod, worker_);
  if (state.failed) {
    error = filter_error(hook.point->plugin(), state.error);
    return BERTH_ERROR;
  }
  if (state.prepared.passes()) return BERTH_SUCCESS;
  berth_call one = call(cycle, filter, row, overlay);
  uint8_t verdict = 0;
  if (host::CallError failure = hook.point->call(worker_, one, {&verdict, 1})) {
    error = filter_error(hook.point->plugin(), failure.text());
    return BERTH_ERROR;
  }
  if (verdict == BERTH_ERROR) error = filter_error(hook.point->plugin(), worker_.text());
  return verdict;
}

std::vector<std::string> RowFilter::reasons(const DecisionContext& cycle, size_t filter,
                                            model::Row row) {
  auto& hook = cycle.profile->filter[filter];
  std::vector<model::PodOnNode> nominated = nominated_on(cluster_, row, cycle);
  Overlay overlay = overlay_with(cluster_, row, nominated);
  std::string error;
  bool under = !nominated.empty() && verdict(cycle, filter, row, &overlay, error) != BERTH_SUCCESS;

  std::vector<std::string> texts;
  uint32_t reason = 0;
  berth_call one = call(cycle, filter, row, under ? &overlay : nullptr);
  host::CallError failure = hook.point->reasons(worker_, one, {&reason, 1});
  if (!failure) failure = hook.point->describe(worker_, one, reason, texts);
  if (failure) texts.assign(1, failure.text());
  return texts;
}

}  // namespace berth::framework
