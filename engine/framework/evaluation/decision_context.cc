#include "engine/framework/evaluation/decision_context.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

void DecisionContext::resolve_filters(TemplateStates& states, host::CallContext& calls) {
  auto& hooks = profile->filter;
  auto& resolved = own_pre_filter.filter_states;
  resolved.assign(hooks.size(), nullptr);
  for (size_t i = 0; i < hooks.size(); ++i)
    if (this->calls(hooks[i])) resolved[i] = &states.of(hooks[i].bound, *pod, calls);
}

bool DecisionContext::follows_changes(size_t filter) const {
  const TemplateHook* state = filter_states()[filter];
  return profile->filter[filter].overlay != kNoHook && state != nullptr && !state->failed &&
         !state->prepared.passes();
}

void DecisionContext::begin_filters(model::Cluster& cluster) {
  BERTH_ASSERT(filters_resolved());
  resolution = profile->count_resolution();
  nominated.clear();
  if (cluster.nodes().nominations().slots().empty()) return;
  for (size_t i = 0; i < profile->filter.size(); ++i)
    if (follows_changes(i)) return find_nominated(cluster);
}

void DecisionContext::find_nominated(model::Cluster& cluster) {
  for (model::Slot slot : cluster.nodes().nominations().slots()) {
    const model::Row row = cluster.nodes().row_of(slot);
    if (row == model::kNoRow) continue;
    for_each_nominated(cluster, row, *this, [&](const model::PodOnNode& other) {
      nominated.emplace_back(row, TrialPod(*profile, cluster, cluster.nominated_record(other.pod)));
    });
  }
  // Pods of one row keep the order of their nominations.
  std::ranges::stable_sort(nominated, {}, &std::pair<model::Row, TrialPod>::first);
}

void DecisionContext::refresh_filters() const {
  const auto& states = filter_states();
  for (size_t i = 0; i < states.size(); ++i)
    if (states[i] != nullptr) profile->filter[i].bound.refresh(*states[i]);
}

void DecisionContext::refresh_scores() const {
  const auto& states = score_states();
  for (size_t i = 0; i < states.size(); ++i)
    if (states[i] != nullptr) profile->score[i].bound.refresh(*states[i]);
}

void DecisionContext::resolve_scores(TemplateStates& states, host::CallContext& calls) {
  auto& hooks = profile->score;
  auto& resolved = own_pre_score.score_states;
  resolved.assign(hooks.size(), nullptr);
  for (size_t i = 0; i < hooks.size(); ++i)
    if (this->calls(hooks[i])) resolved[i] = &states.of(hooks[i].bound, *pod, calls);
}

}  // namespace berth::framework
