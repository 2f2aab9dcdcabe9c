#include "engine/framework/evaluation/nominated.h"

#include <algorithm>

namespace berth::framework {

bool any_nominated(const model::Cluster& cluster, model::Row row, const DecisionContext& context) {
  if (!cluster.nodes().nominations().any(cluster.nodes().slot_of(row))) return false;
  bool any = false;
  for_each_nominated(cluster, row, context, [&](const model::PodOnNode&) { any = true; });
  return any;
}

bool follows_pods(const DecisionContext& context, size_t filter) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook* state = context.filter_states()[filter];
  if (state == nullptr || state->failed) return true;
  if (state->prepared.passes()) return false;
  return hook.point->depends() != BERTH_DEPENDS_DECLARED || hook.overlay != kNoHook ||
         std::ranges::any_of(state->sources, &TemplateHook::Source::follows_pods);
}

}  // namespace berth::framework
