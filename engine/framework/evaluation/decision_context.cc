#include "engine/framework/evaluation/decision_context.h"

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

void DecisionContext::resolve_filters(TemplateStates& states, model::Cluster& cluster,
                                      host::CallContext& calls) {
  auto& hooks = profile->filter;
  filter_states.assign(hooks.size(), nullptr);
  for (size_t i = 0; i < hooks.size(); ++i)
    if (this->calls(hooks[i])) filter_states[i] = &states.of(hooks[i].bound, *pod, calls);
  resolution = profile->count_resolution();
  nominated.clear();
  if (profile->overlay_state.empty()) return;
  for (model::Slot slot : cluster.nodes().nominated_slots()) {
    const model::Row row = cluster.nodes().node(slot).row;
    if (row == model::kNoRow) continue;
    for_each_nominated(cluster, row, *this, [&](const model::PodOnNode& other) {
      nominated.emplace_back(row, TrialPod(*profile, cluster, cluster.pod(other.pod)));
    });
  }
}

void DecisionContext::refresh_filters() const {
  for (size_t i = 0; i < filter_states.size(); ++i)
    if (filter_states[i] != nullptr) profile->filter[i].bound.refresh(*filter_states[i]);
}

void DecisionContext::refresh_scores() const {
  for (size_t i = 0; i < score_states.size(); ++i)
    if (score_states[i] != nullptr) profile->score[i].bound.refresh(*score_states[i]);
}

void DecisionContext::resolve_scores(TemplateStates& states, host::CallContext& calls) {
  auto& hooks = profile->score;
  score_states.assign(hooks.size(), nullptr);
  for (size_t i = 0; i < hooks.size(); ++i)
    if (this->calls(hooks[i])) score_states[i] = &states.of(hooks[i].bound, *pod, calls);
}

}  // namespace berth::framework
