#include "engine/framework/evaluation/nominated.h"

#include <algorithm>

namespace berth::framework {

bool any_nominated(const model::Cluster& cluster, model::Row row, const DecisionContext& context) {
  if (!cluster.nodes().has_nominations(cluster.nodes().slot_of(row))) return false;
  bool any = false;
  for_each_nominated(cluster, row, context, [&](const model::PodOnNode&) { any = true; });
  return any;
}

bool follows_pods(const DecisionContext& context, size_t filter) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook* state = context.filter_states[filter];
  if (state == nullptr || state->failed) return true;
  if (state->prepared.passes()) return false;
  return hook.point->depends() != BERTH_DEPENDS_DECLARED || hook.overlay != kNoHook ||
         std::ranges::any_of(state->sources, &TemplateHook::Source::follows_pods);
}

NominatedRows::NominatedRows(const DecisionContext& cycle, const model::Cluster& cluster,
                             host::CallContext& calls, RowFilter& filter)
    : cycle_(cycle), filter_(filter), changed_(cluster, calls) {
  for (size_t i = 0; i < cycle.profile->filter.size(); ++i)
    follows_.push_back(follows_pods(cycle, i));
}

RowVerdict NominatedRows::check(model::Row row, RowVerdict without) {
  changed_.begin(cycle_, row);
  changed_.add_nominated();
  const bool known = changed_.error().empty();
  for (size_t i = 0; i < follows_.size(); ++i) {
    if (!cycle_.calls(cycle_.profile->filter[i])) continue;
    if (known && !follows_[i]) {
      // Of filters behind the one that refused, nothing is known.
      if (without.refuser == kFeasible || without.refuser > i + 1) continue;
      if (without.refuser == i + 1) return without;
    }
    RowVerdict with;
    with.code = filter_.verdict(cycle_, i, row, &changed_, with.error);
    if (with.code == BERTH_SUCCESS) continue;
    with.refuser = static_cast<Refuser>(i + 1);
    return with;
  }
  return without;
}

}  // namespace berth::framework
