#pragma once

// The steps that rank several feasible rows: PreScore and the scores. pick_step.h picks one.

#include "engine/base/assert.h"
#include "engine/framework/decision/open_decision.h"
#include "engine/framework/evaluation/reference.h"

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

}  // namespace berth::framework
