#pragma once

// The decisions of a scheduler: each is made, now and then verified, counted and hashed. Threads
// that help look ahead at the pods that are decided next.
//
// A decision changes no pod but for its count of attempts; the scheduler carries it out.
//
// One thread, beside the helpers.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/verification/verifier.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/scheduling/batches.h"
#include "engine/runtime/scheduling/decision_hash.h"
#include "engine/runtime/scheduling/queue_policy.h"
#include "engine/runtime/scheduling/scheduler_options.h"
#include "engine/runtime/timekeeper.h"

namespace berth::runtime {

class Decisions {
 public:
  // kube-scheduler's share, 10 %, of which it draws each decision.
  static constexpr uint32_t kTimedForKeeper = 10;

  // All of it outlives the decisions. `calls` is the deciding thread's, `binding_calls` that of the
  // binding thread; null: there is none.
  Decisions(model::Cluster& cluster, const QueuePolicy& policy, const queue::SchedulingQueue& queue,
            host::CallContext& calls, host::CallContext* binding_calls,
            const SchedulerOptions& options);

  // Decides about a pod that was popped: `cycle` counts these pods, it is `now`. The caller may
  // change the result, which is valid until the next call, and calls `end` once it asks plugins no
  // more about this attempt alone.
  framework::Decision& make(queue::ProfileId profile, model::PodId pod, uint64_t cycle, Time now);
  void end() {
    if (options_.decide.moment != nullptr) options_.decide.moment->end_decision();
  }
  // Tells the keeper how long the points take, from now on, and times calls of plugins in one
  // decision of kTimedForKeeper; null: neither. It outlives the next call.
  void keep_time(Timekeeper* keeper);
  // Throws framework::EvaluationDiffers if the last decision was verified and differs. It is an
  // error by then, with a message that says so.
  void throw_difference();
  // Reads the answers of the last decision (decide.h).
  framework::Decider& decider() { return *decider_; }
  const framework::DecisionContext& cycle() const { return decider_->cycle(); }

  uint64_t count() const { return count_; }
  const DecisionHash& hash() const { return hash_; }
  // The row at which the next search for nodes begins.
  uint32_t start_index() const { return start_; }
  void set_start_index(uint32_t start) { start_ = start; }
  // All template states of all profiles are about to be forgotten.
  void forget_states() { evaluator_->forget(); }
  // Scores that the next pod would take over do not hold any more.
  void forget_batches() {
    if (batches_) batches_->forget();
  }
  framework::KeptRankings rankings() const { return evaluator_->rankings(); }
  // Rows that threads other than the deciding one evaluated, each as often as it was: dry runs of
  // preemption, too.
  uint64_t rows_off_main() const;
  framework::Verifier::Counts verifications() const {
    return verifier_ ? verifier_->counts() : framework::Verifier::Counts{};
  }
  // Contexts of threads other than the deciding one. They rest between decisions; the binding
  // thread, if there is one, after BindingCycles::settle.
  const std::vector<host::CallContext*>& other_calls() const { return others_; }
  // Those that call plugins in decisions.
  std::span<host::CallContext* const> decision_calls() const {
    return std::span(others_).first(timed_with_decisions_);
  }
  // All others, and those of verifications, whose calls are not the run's.
  std::vector<host::CallContext*> watched_calls();

 private:
  struct Next {
    std::vector<model::PodId> pods;
    std::vector<framework::KindAnswers> kinds;
    std::vector<framework::DecisionContext> new_kinds;
  };

  void begin_batch(queue::ProfileId profile, uint64_t cycle, Time now, framework::Request& request);
  void end_batch(const framework::Profile& profile, const framework::Request& request,
                 const framework::Decision& decision);
  void time_calls();
  void look_ahead(size_t most);
  void introduce(queue::ProfileId profile, const model::PodRecord& record);
  void verify(framework::Profile& profile, const framework::Request& request,
              framework::Decision& decision);

  model::Cluster& cluster_;
  const QueuePolicy& policy_;
  const queue::SchedulingQueue& queue_;
  host::CallContext& calls_;
  const SchedulerOptions& options_;
  uint32_t time_calls_every_;
  std::unique_ptr<framework::Evaluator> evaluator_;
  std::unique_ptr<framework::Decider> decider_;
  std::vector<host::CallContext*> others_;
  size_t timed_with_decisions_ = 0;  // the first of others_; the binding thread looks after its own
  Next next_;                        // of look_ahead()
  std::unique_ptr<Batches> batches_;                     // null: no pod takes part in one
  std::unique_ptr<framework::Verifier> verifier_;        // null: nothing is verified
  std::optional<framework::EvaluationDiffers> differs_;  // the last decision did
  Timekeeper* keeper_ = nullptr;                         // null: nobody keeps time
  DecisionHash hash_;
  uint32_t start_ = 0;
  uint64_t count_ = 0;
};

}  // namespace berth::runtime
