#pragma once

// The pod that is being decided, as filters and scores need it: its profile, the answers of
// PreFilter and PreScore, and the template state of each hook. It corresponds to kube-scheduler's
// CycleState with its sets of skipped plugins.
//
// The steps of a decision fill it in, on the thread that owns the model. After `resolve_filters`
// the filters can be called, after `resolve_scores` the scores; from then on evaluation only reads
// the context, the states and the model, so several threads may evaluate at once.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/framework/hooks/template_states.h"
#include "engine/framework/hooks/trial_pod.h"

namespace berth::framework {

class KeptRowsTable;

struct DecisionContext {
  Profile* profile = nullptr;
  const model::PodRecord* pod = nullptr;
  int32_t priority = 0;

  // The answers of this decision, unless it uses those that its pod's kind keeps.
  PreFilterAnswers own_pre_filter;
  PreScoreAnswers own_pre_score;
  const PreFilterAnswers* kept_pre_filter = nullptr;
  const PreScoreAnswers* kept_pre_score = nullptr;
  // Differs each time that the filters of the profile are resolved.
  uint64_t resolution = 0;

  // Only if the state of a filter follows pods: the pods that are nominated to rows and that
  // filters must see, with their rows, in the order of the rows.
  std::vector<std::pair<model::Row, TrialPod>> nominated;

  // Answers about rows that earlier decisions kept; null: the decision keeps none.
  KeptRowsTable* keeper = nullptr;

  const PreFilterAnswers& pre_filter() const {
    return kept_pre_filter != nullptr ? *kept_pre_filter : own_pre_filter;
  }
  const PreScoreAnswers& pre_score() const {
    return kept_pre_score != nullptr ? *kept_pre_score : own_pre_score;
  }
  // By index in the profile's list; null for hooks that are not called for this pod.
  const std::vector<TemplateHook*>& filter_states() const { return pre_filter().filter_states; }
  const std::vector<TemplateHook*>& score_states() const { return pre_score().score_states; }
  // False: they are not those of the profile.
  bool filters_resolved() const { return filter_states().size() == profile->filter.size(); }
  bool scores_resolved() const { return score_states().size() == profile->score.size(); }

  // True if the hook is called for this pod: what it follows (HookAt::before) did not skip.
  bool calls(const HookAt<host::Filter>& hook) const { return filtered(hook); }
  bool calls(const HookAt<host::Score>& hook) const {
    return hook.before == kNoHook || !pre_score().skipped[hook.before];
  }
  bool calls(const HookAt<host::Reserve>& hook) const { return filtered(hook); }
  bool calls(const HookAt<host::PreBind>& hook) const { return filtered(hook); }
  // True if the filter is asked about a changed row with a copy of its state that follows the
  // changes (changed_row.h). `filter`: index in the profile's list.
  bool follows_changes(size_t filter) const;
  // The bits of berth_call.ran for calls of this hook.
  template <typename Point>
  uint32_t ran(const HookAt<Point>& hook) const {
    uint32_t bits = 0;
    if (hook.pre_filter != kNoHook && pre_filter().ran[hook.pre_filter])
      bits |= BERTH_RAN_PRE_FILTER;
    if constexpr (std::is_same_v<Point, host::Score>) {
      if (hook.before != kNoHook && pre_score().ran[hook.before]) bits |= BERTH_RAN_PRE_SCORE;
      // Only pods that all PreFilters were asked about are scored.
      if (hook.pre_filter != kNoHook) bits |= BERTH_ASKED_PRE_FILTER;
    }
    return bits;
  }

  // Bring the columns of counts by row up to date that filters, or scores, read: before they are
  // asked about rows or overlays. Of the thread that owns the model. Cost nothing if no such count
  // changed.
  void refresh_filters() const;
  void refresh_scores() const;

  // Look up the states of all filters, or scores, that are called for the pod, after answers of
  // this decision's own. Precondition: PreFilter, or PreScore, is over; and none of its hooks
  // failed.
  void resolve_filters(TemplateStates& states, host::CallContext& calls);
  void resolve_scores(TemplateStates& states, host::CallContext& calls);
  // Completes PreFilter: finds the nominated pods. Precondition: the filters' states are known.
  void begin_filters(model::Cluster& cluster);

 private:
  void find_nominated(model::Cluster& cluster);
  // The hook's PreFilter did not skip the pod.
  template <typename Point>
  bool filtered(const HookAt<Point>& hook) const {
    return hook.before == kNoHook || !pre_filter().skipped[hook.before];
  }
};

}  // namespace berth::framework
