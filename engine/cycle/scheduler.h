#pragma once

// The scheduling cycle over one model: pods come in, are gated or queued, popped in order, decided,
// assumed, and bound in batches. One thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cycle/binder.h"
#include "engine/cycle/decision_hash.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/framework/evaluation/reference.h"
#include "engine/queue/active_queue.h"

namespace berth::cycle {

struct SchedulerOptions {
  framework::DecideOptions decide;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full;
  // Whether a placed pod counts in the model from then on. Off, every pod is tried against the same
  // cluster, and nothing is reserved or bound.
  bool assume = true;
  // Calls of plugins are timed in one decision of so many: a clock at each call costs more than
  // the calls.
  uint32_t time_calls_every = 256;
};

enum class PodOutcome : uint8_t {
  kScheduled,
  kUnschedulable,
  kError,    // a plugin failed; says nothing about nodes
  kGated,    // a PreEnqueue plugin keeps it out of the queue
  kIgnored,  // no profile of its scheduler name
};

struct PodResult {
  const model::PodRecord* pod = nullptr;
  PodOutcome outcome = PodOutcome::kError;
  std::string_view node;                          // of a scheduled pod
  std::string gated_by;                           // the plugin
  std::string message;                            // why not
  const framework::Decision* decision = nullptr;  // null: it was gated or ignored
};

class Scheduler {
 public:
  using OnResult = std::function<void(const PodResult&)>;

  // `profiles` and `binder` outlive the scheduler. `worker` is the deciding thread's.
  Scheduler(model::Cluster& cluster, std::vector<std::unique_ptr<framework::Profile>>& profiles,
            Binder& binder, host::CallContext& worker, SchedulerOptions options);

  // An empty scheduler name is the default profile's, as an API server would have set it.
  framework::Profile* profile_of(const model::PodRecord& pod) const;

  // Pods that arrive together: those that no plugin gates are queued. Reports gated and ignored
  // ones.
  void enqueue(std::span<const model::PodRecord> pods, const OnResult& on_result);
  // Tries one pod of the queue; false if there is none.
  bool schedule_next(const OnResult& on_result);
  // Tries one pod at once, without the queue; PreEnqueue included.
  void schedule(const model::PodRecord& pod, const OnResult& on_result);
  // Binds what waits for it. To be called before nodes come or go, and at the end. A pod whose
  // binding failed is reported as kError, after it was reported as kScheduled.
  void flush(const OnResult& on_result);

  uint32_t start_index() const { return start_; }
  void set_start_index(uint32_t start) { start_ = start; }
  uint64_t decisions() const { return decisions_; }
  const DecisionHash& hash() const { return hash_; }
  uint64_t rows_off_main() const { return full_ ? full_->rows_off_main() : 0; }
  // Of threads other than the deciding one.
  const std::vector<host::CallContext*>& other_workers() const { return others_; }
  // Of the last decision, see decide.h.
  framework::Decider& decider() { return *decider_; }

 private:
  struct Gate {
    std::string plugin, message;
  };
  // By position; empty where the pod may enter the queue.
  std::vector<std::optional<Gate>> gates(framework::Profile& profile,
                                         std::span<const model::PodRecord> pods);
  std::vector<queue::SortKey> sort_keys(framework::Profile& profile,
                                        std::span<const model::PodRecord> pods);
  void enqueue_for(framework::Profile& profile, std::vector<model::PodRecord> pods,
                   const OnResult& on_result);
  void attempt(framework::Profile& profile, const model::PodRecord& pod, const OnResult& on_result);
  void place(framework::Profile& profile, const model::PodRecord& pod,
             framework::Decision& decision, const OnResult& on_result);
  // Reserve and Permit; a refusal or a failure in words, and its outcome.
  bool admit(framework::Profile& profile, const model::PodRecord& pod,
             framework::Decision& decision);
  void unreserve(framework::Profile& profile, const model::PodRecord& pod, model::Row row);
  template <typename Hook, typename Call>
  bool admit_at(Hook& hook, const char* point, const model::PodRecord& pod,
                framework::Decision& decision, Call&& make);
  void report(const model::PodRecord& pod, const framework::Decision& decision,
              const OnResult& on_result);

  model::Cluster& cluster_;
  std::vector<std::unique_ptr<framework::Profile>>& profiles_;
  Binder& binder_;
  host::CallContext& worker_;
  SchedulerOptions options_;
  std::unique_ptr<framework::Evaluator> evaluator_;
  framework::BatchEvaluator* full_ = nullptr;  // evaluator_, if it is that one
  std::vector<host::CallContext*> others_;     // its threads', which rest between decisions
  std::unique_ptr<framework::Decider> decider_;
  std::vector<framework::Profile*> profile_by_name_;  // by string id of the scheduler name
  framework::Profile* default_profile_ = nullptr;
  queue::ActiveQueue active_;
  DecisionHash hash_;
  framework::Decision decision_;
  framework::CallColumns columns_;
  uint32_t start_ = 0;
  uint64_t arrivals_ = 0;
  uint64_t decisions_ = 0;
};

}  // namespace berth::cycle
