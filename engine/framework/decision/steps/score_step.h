#pragma once

// The steps that choose among several feasible rows: PreScore, the scores, and the pick.

#include <optional>

#include "engine/base/assert.h"
#include "engine/framework/decision/open_decision.h"
#include "engine/framework/evaluation/reference.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace berth::framework {

// Each PreScore plugin is called once with the feasible rows, in order, and may skip its own Score.
// Source: kube-scheduler runtime/framework.go RunPreScorePlugins.
class PreScoreStep {
 public:
  explicit PreScoreStep(const DecideOptions& options) : options_(options) {}

  // kDecided: a plugin failed. Otherwise the context's scores are resolved.
  Next run(OpenDecision& open);
  // True if the answers about the pod follow declared columns that pods of one kind have in common,
  // and not the feasible rows. Prepares the states of the hooks.
  static bool answers_hold_for_kind_of(OpenDecision& open);

 private:
  Next ask_all(OpenDecision& open, size_t asked);
  static bool keeps(const Profile& profile, size_t asked, PodKind& kind);
  std::string ask(OpenDecision& open, const HookAt<host::PreScore>& hook, TemplateHook& state,
                  uint64_t stamp);
  berth_feasible feasible_set(const OpenDecision& open);

  const DecideOptions& options_;
  CallColumns columns_;
  std::vector<uint64_t> feasible_bits_;
  uint64_t changes_ = 0;  // versions given out, over all hooks
};

// Runs the Score hooks and their normalising, and adds up the weighted totals.
class ScoreStep {
 public:
  ScoreStep(model::Cluster& cluster, host::CallContext& calls, Evaluator& evaluator)
      : evaluator_(evaluator), objects_(cluster, calls, NodeView::kObjectAlone) {}

  Next run(OpenDecision& open);  // kDecided: a plugin failed
  // Precondition: the last run() did not fail.
  std::vector<HookScores> scores() const {
    BERTH_ASSERT(last_ != nullptr);
    return last_->scores();
  }

 private:
  Evaluator& evaluator_;
  ReferenceEvaluator objects_;  // for nodes as an extender answered with them
  const Evaluator* last_ = nullptr;
};

// Picks the row with the best total. Among several, the random draw selects one, counted
// in row order, or the first by node name is taken (TieBreak). Makes the decision kScheduled.
class PickStep {
 public:
  explicit PickStep(const DecideOptions& options) : options_(options) {}

  void run(OpenDecision& open);

  // See Decider::prefer.
  void prefer(model::StringId node) { preferred_ = node; }

 private:
  std::optional<model::Row> preferred_row(const model::Cluster& cluster);

  const DecideOptions& options_;
  BestRows best_;
  model::StringId preferred_ = 0;
};

}  // namespace berth::framework
