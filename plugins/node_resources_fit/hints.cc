#include "plugins/node_resources_fit/hints.h"

#include <algorithm>

#include "plugins/node_resources_fit/filter.h"

namespace berth::plugins {
namespace {

bool holds(const sdk::Columns& node, const FitHintState& state) {
  return node[state.places][0] >= 1 &&
         std::all_of(state.needs.begin(), state.needs.end(), [&](const FitHintState::Need& need) {
           return need.request <= node[need.allocatable][0];
         });
}

bool grew(const sdk::Columns& before, const sdk::Columns& after, const FitHintState& state) {
  const auto more = [&](sdk::Slot<int64_t> column) { return after[column][0] > before[column][0]; };
  return more(state.places) ||
         std::any_of(state.needs.begin(), state.needs.end(),
                     [&](const FitHintState::Need& need) { return more(need.allocatable); });
}

}  // namespace

uint32_t FitHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_ALLOCATABLE;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0 : BERTH_DID_DELETE | BERTH_DID_UPDATE_SCALE_DOWN;
}

// Resources that the configuration ignores count here: kube-scheduler's hints do not read it.
void FitHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitHintState& state) {
  prepared.keep(running_names_, running_);
  state.places = prepared.add<int64_t>("node.allocatable:pods");
  const auto names = pod.one(request_names_);
  const auto amounts = pod.one(requests_);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = strings_.text(names[i]);
    if (must_fit(name, amounts[i]))
      state.needs.push_back(
          {prepared.add<int64_t>(sdk::concat("node.allocatable:", name)), amounts[i]});
  }
  const auto running_names = pod.one(running_names_);
  const auto running = pod.one(running_);
  for (size_t i = 0; i < running_names.size(); ++i)
    if (running[i] != 0 && is_counted(strings_.text(running_names[i])))
      state.requested.push_back(running_names[i]);
}

int64_t FitHints::amount(const sdk::Columns& pod, uint32_t resource) const {
  const auto names = pod.one(running_names_);
  const auto at = std::find(names.begin(), names.end(), resource);
  if (at == names.end()) return 0;
  return std::max<int64_t>(0, pod.one(running_)[static_cast<size_t>(at - names.begin())]);
}

bool FitHints::shrank(const Call& call, const sdk::Event& event) const {
  const std::vector<uint32_t>& requested = call.state().requested;
  return std::any_of(requested.begin(), requested.end(), [&](uint32_t resource) {
    return amount(event.before(), resource) > amount(event.after(), resource);
  });
}

bool FitHints::hint(const Call& call, const sdk::Event& event) const {
  if (event.on_node())
    return holds(event.after(), call.state()) &&
           (event.added() || grew(event.before(), event.after(), call.state()));
  if (event.deleted()) return event.node() != 0 || event.nominated_node() != 0;
  return event.self() || (event.node() != 0 && shrank(call, event));
}

}  // namespace berth::plugins
