#pragma once

// The pod that is being decided, as filters and scores need it: its profile, what PreFilter and
// PreScore said, and the template state of each hook.
//
// Steps of a decision fill it in, on the thread that owns the model. After `resolve_filters` the
// filters can be called, after `resolve_scores` the scores; from then on evaluating only reads the
// context, the states and the model, so several threads may do it at once.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/framework/hooks/template_states.h"
#include "engine/framework/hooks/trial_pod.h"

namespace berth::framework {

struct DecisionContext {
  Profile* profile = nullptr;
  const model::PodRecord* pod = nullptr;
  int32_t priority = 0;

  // By hook of the profile's list. A hook that is neither has failed or was not asked.
  std::vector<bool> pre_filter_ran;
  std::vector<bool> pre_filter_skipped;
  std::vector<bool> pre_score_ran;
  std::vector<bool> pre_score_skipped;
  std::vector<uint64_t> pre_score_versions;  // raw scores that follow another number are stale

  // By hook of the profile's list; null for hooks that this pod does not call. The number is
  // another one for each time that filters of the profile were resolved.
  uint64_t resolution = 0;
  std::vector<TemplateHook*> filter_states;
  std::vector<TemplateHook*> score_states;

  // Only if the profile has plugins that follow pods (Profile::overlay_state): the pods that are
  // nominated to rows and that filters must see, with their rows.
  std::vector<std::pair<model::Row, TrialPod>> nominated;

  bool calls(const HookAt<host::Filter>& hook) const {
    return hook.before == kNoHook || !pre_filter_skipped[hook.before];
  }
  bool calls(const HookAt<host::Score>& hook) const {
    return hook.before == kNoHook || !pre_score_skipped[hook.before];
  }
  template <typename Point>
  uint32_t ran(const HookAt<Point>& hook) const {
    uint32_t bits = 0;
    if (hook.pre_filter != kNoHook && pre_filter_ran[hook.pre_filter]) bits |= BERTH_RAN_PRE_FILTER;
    if constexpr (std::is_same_v<Point, host::Score>)
      if (hook.before != kNoHook && pre_score_ran[hook.before]) bits |= BERTH_RAN_PRE_SCORE;
    return bits;
  }

  // Precondition: PreFilter is over, and no hook of it failed or refused the pod.
  void resolve_filters(TemplateStates& states, model::Cluster& cluster, host::CallContext& calls);
  // Precondition: PreScore is over without failure.
  void resolve_scores(TemplateStates& states, host::CallContext& calls);
};

}  // namespace berth::framework
