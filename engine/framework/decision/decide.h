#pragma once

// One decision: where a pod goes, or why it cannot go anywhere. A function of the model, the
// profile, the pod, the start index and the draw; it changes none of them.
//
// A decision is a list of steps over one OpenDecision (see Decider::run_steps):
//
//   PreFilter    each plugin looks at the pod once; may refuse it or narrow the search
//   nominated    the pod's nominated node, if it is feasible, is taken at once
//   search       filters over rows from the start index on, until enough are feasible
//   settle       no row or one row: nothing to choose
//   PreScore     each plugin looks at the feasible rows once
//   score        scores of the feasible rows, normalised, weighted and summed
//   pick         the best total; ties by a draw or by name
//
// Extenders belong after search (filter) and after score (prioritise).

#include <optional>
#include <vector>

#include "engine/framework/decision/pre_filter_step.h"
#include "engine/framework/decision/score_step.h"
#include "engine/framework/decision/search_step.h"

namespace berth::framework {

class Decider {
 public:
  // All of it outlives the decider; so do the profiles that it decides by.
  Decider(model::Cluster& cluster, Evaluator& evaluator, host::CallContext& calls,
          DecideOptions options);

  // Precondition: cluster.order_rows() was called since the last node event. Template states of
  // profiles that were not used for long may be dropped before the decision begins.
  Decision decide(Profile& profile, const Request& request);

  // Of the last decision, until the model is next modified.
  const SearchResult& window() const { return open_.found; }
  const DecisionContext& cycle() const { return open_.context; }
  const std::vector<HookScores>& scores() const { return open_.scores; }
  // Why the filters of the last decision refuse a row; nothing if it is feasible. A row that the
  // search did not come to is looked at now. Precondition: the decision did not end in PreFilter.
  std::optional<Refusal> refusal(model::Row row) { return refusals_.of(open_, row); }

 private:
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;
  void run_steps();

  const DecideOptions options_;
  OpenDecision open_;
  Refusals refusals_;
  PreFilterStep pre_filter_;
  NominatedStep nominated_;
  SearchStep search_;
  SettleStep settle_;
  PreScoreStep pre_score_;
  ScoreStep score_;
  PickStep pick_;
  uint64_t decisions_ = 0;
};

}  // namespace berth::framework
