#pragma once

// One decision: the node for a pod, or the reason why there is none. A function of the model, the
// profile, the pod, the start index and the seed; it modifies none of them. Source: kube-scheduler
// schedule_one.go schedulePod.
//
// A decision is a list of steps over one OpenDecision (see Decider::run_steps):
//
//   PreFilter    each plugin is called once for the pod; may refuse it or narrow the search
//   hint         the next node of a batch, if the node of the pod before refuses this pod
//   nominated    the pod's nominated node, or the hint, if it is feasible, is taken at once
//   search       filters over rows from the start index on, until enough are feasible
//   extenders    refuse some of these rows
//   settle       no row or one row: nothing to choose
//   PreScore     each plugin is called once with the feasible rows
//   score        scores of the feasible rows, normalised, weighted and summed
//   extenders    add to the totals
//   pick         the best total; ties by a draw or by name
//   PostFilter   if no row is feasible: each plugin may nominate a row for later

#include <optional>
#include <span>
#include <vector>

#include "engine/framework/decision/point_watch.h"
#include "engine/framework/decision/steps/extender_step.h"
#include "engine/framework/decision/steps/pick_step.h"
#include "engine/framework/decision/steps/post_filter_step.h"
#include "engine/framework/decision/steps/pre_filter_step.h"
#include "engine/framework/decision/steps/score_step.h"
#include "engine/framework/decision/steps/search_step.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class Decider {
 public:
  // The cluster, the evaluator, the context, what serves PostFilter plugins, and all profiles
  // passed to decide() outlive the decider.
  Decider(model::Cluster& cluster, Evaluator& evaluator, host::CallContext& calls,
          DecideOptions options, PostFilterOptions post_filter = {});

  // Decides about one pod. An error of a plugin is an outcome (kError), not an exception.
  // Precondition: cluster.order_rows() was called since the last node event. May drop template
  // states of the profile that were not used for long, before the decision begins. The caller may
  // change the result, which is valid until the next call.
  Decision& decide(Profile& profile, const Request& request);
  // Asks PreFilter and PreScore about a pod that waits, for Evaluator::prepare(): decisions about
  // its kind use the same answers. Nothing: the answers do not hold for the kind; a plugin refuses
  // the pod, narrows the search or fails, which the pod's decision finds again; an extender or a
  // plugin in a process of its own takes part; or there are no nodes. Precondition: as for
  // decide(); the evaluator prepares_new_kinds(), and the answers about the kind are not known yet.
  // The states of the result are valid until the next decide().
  std::optional<DecisionContext> introduce(Profile& profile, const Request& request);
  // Drops the template states of the last decision that are its own (Reuse::kFresh), before the
  // next one does. Details of the decision are gone.
  void drop_states() { open_.states.begin(); }

  // Tells how long the points from PreFilter to Score take, from now on; null: nobody. The watch
  // outlives the decider, or the next call.
  void time_points(PointWatch* watch) { points_ = watch; }

  // Takes the node of this name from now on wherever it is one of several best, as a recorded draw
  // has it; 0: none.
  void prefer(model::StringId node) { pick_.prefer(node); }

  // Details of the last decision, valid until the next one or until the model is modified.
  const SearchResult& search_result() const { return open_.found; }
  const DecisionContext& cycle() const { return open_.context; }
  // Empty if the decision scored nothing.
  std::vector<HookScores> scores() const {
    return open_.decision.scored ? score_.scores() : std::vector<HookScores>();
  }
  // The scores that extenders added to the totals; empty if none prioritised.
  std::span<const ExtenderScores> extender_scores() const {
    return open_.extended ? std::span<const ExtenderScores>(open_.extended->scores)
                          : std::span<const ExtenderScores>();
  }
  // The feasible rows with their totals, in the order of the search. Empty if the decision scored
  // nothing, or its request does not keep scores.
  std::span<const ScoredRow> scored_rows() const {
    return open_.decision.scored && open_.request->keeps_scores
               ? std::span<const ScoredRow>(pick_.scored_rows())
               : std::span<const ScoredRow>();
  }
  // The reason why the filters of the last decision refuse a row; nothing if the row is feasible. A
  // row that the search did not reach is filtered now. Precondition: the decision did not end in
  // PreFilter, and the model was not modified since.
  std::optional<Refusal> refusal(model::Row row) { return refusals_.of(open_, row); }

  // The call contexts of what-ifs, which rest between decisions.
  std::vector<host::CallContext*> what_if_calls() const { return post_filter_.what_ifs().calls(); }
  // What-ifs by thread, the deciding thread first: how preemption shares its work.
  std::vector<uint64_t> what_ifs_begun() const { return post_filter_.what_ifs().begun(); }

 private:
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;
  void run_steps();
  void choose();
  void choose_watched(DecisionWatch& watch);
  Next find();
  void rank();
  // The steps that ask the plugins of a point.
  Next pre_filter();
  void hint();
  Next filter();
  Next pre_score();
  Next score();
  void post_filter();

  const DecideOptions options_;
  KeptRowsTable kept_;
  OpenDecision open_;
  OpenDecision introduced_;  // of introduce()
  Refusals refusals_;
  PreFilterStep pre_filter_;
  ExtenderStep extenders_;
  HintStep hint_;
  NominatedStep nominated_;
  SearchStep search_;
  SettleStep settle_;
  PreScoreStep pre_score_;
  ScoreStep score_;
  PickStep pick_;
  PostFilterStep post_filter_;
  uint64_t decisions_ = 0;
  PointWatch* points_ = nullptr;
};

}  // namespace berth::framework
