#pragma once

// The scheduling cycle over one model: pods enter the queue unless a PreEnqueue plugin gates them,
// leave it in the order of the QueueSort plugin, are decided, assumed and reserved on their nodes,
// and handed to binding.
//
// The scheduler owns the states of pods between waiting and bound. It does not own pods: whoever
// removes a pod or its node says so first (`release`), since queue and binding refer to it.
//
// One thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/binding/binder.h"
#include "engine/binding/reservation.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/framework/evaluation/reference.h"
#include "engine/queue/active_queue.h"
#include "engine/runtime/decision_hash.h"
#include "engine/runtime/report.h"

namespace berth::runtime {

struct SchedulerOptions {
  framework::DecideOptions decide;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full;
  // Whether a scheduled pod counts on its node from then on. Off, every pod is tried against the
  // same cluster, and nothing is reserved or bound.
  bool assume = true;
  // Where the services of PostFilter plugins look; outlives the scheduler.
  host::Trials* trials = nullptr;
  // Calls of plugins are timed in one decision of so many: a clock at each call costs more than
  // the calls.
  uint32_t time_calls_every = 256;
};

class Scheduler {
 public:
  // All of it outlives the scheduler. `calls` is the deciding thread's.
  Scheduler(model::Cluster& cluster, std::vector<std::unique_ptr<framework::Profile>>& profiles,
            binding::Binder& binder, host::CallContext& calls, SchedulerOptions options);

  // Pods that arrive together. Each is ignored, gated or queued; the first two are reported.
  // Preconditions: they have no node and are not queued; their state is waiting or gated.
  void enqueue(std::span<const model::PodId> pods, const OnReport& report);
  // The pod is not what it was (Cluster::update_pod): a gated one is offered to PreEnqueue again,
  // a queued one gets its place anew. Nothing happens to others.
  void pod_updated(model::PodId pod, const OnReport& report);
  // Ends all use of the pod: it leaves the queue, and if it is being bound, its batch is bound
  // first. To be called before it is removed, or placed by somebody else.
  void release(model::PodId pod, const OnReport& report);

  // Tries the first pod of the queue; false if the queue is empty.
  bool step(const OnReport& report);
  // Binds the pods that wait for it. To be called before a node is removed.
  void bind_assumed(const OnReport& report);

  size_t queued() const { return active_.size(); }

  uint32_t start_index() const { return start_; }
  void set_start_index(uint32_t start) { start_ = start; }
  uint64_t decisions() const { return decisions_; }
  const DecisionHash& hash() const { return hash_; }
  uint64_t rows_off_main() const { return batch_ ? batch_->rows_off_main() : 0; }
  // Of threads other than the deciding one, which rest between decisions.
  const std::vector<host::CallContext*>& other_calls() const { return others_; }
  // Of the last decision, see decide.h.
  framework::Decider& decider() { return *decider_; }

 private:
  struct Gate {
    std::string plugin, message;
  };
  using Records = std::vector<const model::PodRecord*>;

  // An empty scheduler name is the default profile's, as an API server would have set it. Null: no
  // profile has the name.
  framework::Profile* profile_of(model::PodId pod) const;
  // By position; empty where the pod may enter the queue.
  std::vector<std::optional<Gate>> gates(framework::Profile& profile, const Records& pods);
  std::vector<queue::SortKey> sort_keys(framework::Profile& profile, const Records& pods);
  Records records(std::span<const model::PodId> pods) const;
  void enqueue_for(framework::Profile& profile, std::span<const model::PodId> pods,
                   const OnReport& report);
  void attempt(framework::Profile& profile, model::PodId pod, const OnReport& report);
  void assume(framework::Profile& profile, model::PodId pod, const OnReport& report);
  void take_back(framework::Profile& profile, model::PodId pod);
  void report_decision(model::PodId pod, const OnReport& report);
  void time_calls();

  model::Cluster& cluster_;
  std::vector<std::unique_ptr<framework::Profile>>& profiles_;
  binding::Binder& binder_;
  binding::Reservation reservation_;
  host::CallContext& calls_;
  SchedulerOptions options_;
  std::unique_ptr<framework::Evaluator> evaluator_;
  framework::BatchEvaluator* batch_ = nullptr;  // evaluator_, if it is that one
  std::vector<host::CallContext*> others_;
  std::unique_ptr<framework::Decider> decider_;
  std::vector<framework::Profile*> profile_by_name_;  // by string id of the scheduler name
  framework::Profile* default_profile_ = nullptr;
  queue::ActiveQueue active_;
  DecisionHash hash_;
  framework::Decision decision_;
  framework::CallColumns columns_;
  uint32_t start_ = 0;
  uint64_t arrivals_ = 0;  // pods that entered the queue, gated ones included
  uint64_t entries_ = 0;   // entries to the queue
  uint64_t decisions_ = 0;
};

}  // namespace berth::runtime
