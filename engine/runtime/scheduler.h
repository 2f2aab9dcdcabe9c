#pragma once

// The scheduling and binding cycles over one model: pods leave the queue in order, are decided,
// assumed and reserved on their nodes, may wait in Permit, and are handed to binding. A pod that
// fails on the way goes back to the queue, which knows what wakes it.
//
// Writes. The scheduler writes to the API server (a nomination, an eviction, a binding) and hears
// of it as an event. A nomination counts at once; its event, and evictions, follow when the attempt
// is over: `attempt` collects what it wrote, and `finish_writes` hands it to the server, in the
// order of the writes. Objects of storage that plugins write in PreBind leave between two batches
// of binding cycles.
//
// The scheduler owns the states of pods between waiting and bound. It does not own pods: whoever
// removes a pod or its node says so first (`release`), since queue and binding refer to it.
//
// One thread. Source: kube-scheduler schedule_one.go.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binding/binder.h"
#include "engine/binding/bindings_under_way.h"
#include "engine/binding/pre_bind_waits.h"
#include "engine/binding/reservation.h"
#include "engine/binding/waiting_pods.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/verification/verifier.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/runtime/decision_hash.h"
#include "engine/runtime/events/assumed_updates.h"
#include "engine/runtime/events/cluster_events.h"
#include "engine/runtime/queue_policy.h"
#include "engine/runtime/report.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

struct SchedulerOptions {
  framework::DecideOptions decide;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full;
  // One decision in so many is verified (framework/verification); 0: none. With kAsItPays also none
  // by the reference evaluation, which keeps nothing that could be wrong.
  uint64_t verify_every = 0;
  queue::QueueOptions queue;
  // Pods that are bound together, at most Binder::kMostPods. 1: a pod is bound before the next one
  // is decided.
  size_t bind_batch = binding::Binder::kMostPods;
  // Whether a scheduled pod counts on its node from then on. Off, every pod is tried against the
  // same cluster and once, and nothing is reserved, bound, evicted or nominated.
  bool assume = true;
  // Whether nominations and evictions are carried out. Off, they are only part of the decision.
  bool preempts = true;
  // The trials that the services of PostFilter plugins use; outlives the scheduler.
  host::Trials* trials = nullptr;
  // The pods that the service of waiting pods shows; outlives the scheduler. May be null.
  host::Waiting* waiting = nullptr;
  binding::PlacementObserver* observer = nullptr;  // outlives the scheduler; may be null
  // Calls of plugins are timed in one decision of so many: a clock at each call costs more than
  // the calls.
  uint32_t time_calls_every = 256;
};

class Scheduler final : private host::WaitingServices {
 public:
  // All of it outlives the scheduler. `calls` is the deciding thread's. `server`: see CoreOptions.
  Scheduler(model::Cluster& cluster, std::vector<std::unique_ptr<framework::Profile>>& profiles,
            binding::Binder& binder, host::CallContext& calls, const Clock& clock, Server* server,
            SchedulerOptions options);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler() override;

  // Pods that arrive together. Each is ignored, gated or queued; the first two are reported.
  // Preconditions: they have no node and are unknown to the queue; their state is waiting or gated.
  void enqueue(std::span<const model::PodId> pods, const OnReport& report);
  // A pod without a node is not what it was: `before`.
  void pending_updated(model::PodId pod, const model::PodRecord& before, const OnReport& report);
  // Ends all use of the pod: it leaves the queue, a pod that waits in Permit is refused, one that
  // is being bound is bound first, and the binding of one that waits in PreBind fails. To be called
  // before it is removed, or when others tell its node: `placed` is its new object then, with the
  // slot of the node, and null before. If the pod is bound on that node meanwhile, it is the new
  // object.
  void release(model::PodId pod, const model::PodRecord* placed, const OnReport& report);
  // The same for the pods of a node that are being bound: those that wait in PreBind are queued
  // again. To be called before the node is removed.
  void release_node(model::Slot slot, const OnReport& report);

  // Takes the next pod out of the queue; nothing if none can be popped.
  std::optional<model::PodId> pop();
  // Tries a popped pod. What it wrote was told when this returns, and binding cycles that it
  // released have gone on. Throws framework::EvaluationDiffers if the decision was verified and
  // differs; the attempt has failed, then.
  void attempt(model::PodId pod, const OnReport& report);

  // Binds the pods that were handed to binding.
  void bind_assumed(const OnReport& report);
  // The same, and lets released pods go on until none is left.
  void settle(const OnReport& report);

  // Refuses pods whose Permit timers fired, one after the other; each goes on before the next timer
  // counts.
  void expire_permits(const OnReport& report);
  // The server answers bindings that are under way. One that is not known is passed over: it was
  // answered before, or its pod left. Returns how many those are.
  size_t answer(std::span<const BindingAnswer> answers, const OnReport& report);
  // Calls the PreBind plugins again that wait and whose time has come, and binds.
  void continue_pre_binds(const OnReport& report);
  // The plugin of that name no longer holds the pod; refuses the pod in the plugin's name. False:
  // it does not wait, or for `allow` not for this plugin. The caller lets released pods go on.
  bool allow(model::PodId pod, const std::string& plugin) { return waiting_.allow(pod, plugin); }
  bool reject(model::PodId pod, const std::string& plugin, std::string message) {
    return waiting_.reject(pod, plugin, std::move(message));
  }
  // Others know the pod's status now as it was written; what they knew `before`. No effect if the
  // pod is gone.
  void status_known(const model::PodRecord& before);
  // Lets released pods go on, in the order of their release, each to its end; and moves pods that
  // plugins activated.
  void continue_released(const OnReport& report);

  queue::SchedulingQueue& queue() { return queue_; }
  const queue::SchedulingQueue& queue() const { return queue_; }
  binding::WaitingPods& waiting() { return waiting_; }
  const binding::WaitingPods& waiting() const { return waiting_; }
  bool assumes() const { return options_.assume; }
  // Pods whose binding cycle waits in PreBind. Their state is that of pods that are being bound.
  const binding::PreBindWaits& pre_bind_waits() const { return pre_binds_; }
  // Bindings that the server has not answered; the same of their pods.
  const binding::BindingsUnderWay& under_way() const { return under_way_; }
  AssumedUpdates& updates() { return updates_; }
  const AssumedUpdates& updates() const { return updates_; }
  ClusterEvents& events() { return events_; }
  QueuePolicy& policy() { return policy_; }
  // Pods that can be popped now or were decided and are not bound.
  size_t queued() const;

  uint32_t start_index() const { return start_; }
  void set_start_index(uint32_t start) { start_ = start; }
  uint64_t decisions() const { return decisions_; }
  const DecisionHash& hash() const { return hash_; }
  // All template states of all profiles are about to be forgotten.
  void forget_states() { evaluator_->forget(); }
  framework::KeptRankings rankings() const { return evaluator_->rankings(); }
  // Rows that threads other than the deciding one evaluated, each as often as it was: dry runs of
  // preemption, too.
  uint64_t rows_off_main() const;
  // Contexts of threads other than the deciding one. They rest between decisions; the binding
  // thread, if there is one, after `settle`.
  const std::vector<host::CallContext*>& other_calls() const { return others_; }
  // The same, and those of verifications, whose calls are not the run's.
  std::vector<host::CallContext*> watched_calls();
  framework::Verifier::Counts verifications() const {
    return verifier_ ? verifier_->counts() : framework::Verifier::Counts{};
  }
  // The decider, with details of the last decision (decide.h).
  framework::Decider& decider() { return *decider_; }

 private:
  // Something that goes to the server when the attempt is over.
  struct Write {
    enum class Kind : uint8_t { kEvict, kBind, kStatus } kind = Kind::kStatus;
    model::PodRecord before;  // of the pod
    bool failed = false;      // of a status, like `message`; see StatusPatch
    std::string message{};
  };
  // A pod's condition PodScheduled, as far as it is needed to tell whether a write changes it.
  struct Condition {
    uint32_t generation = 0;  // of the pod; 0: there is none
    bool failed = false;
    size_t text = 0;  // hash
    bool operator==(const Condition&) const = default;
  };

  void each(const std::function<void(uint64_t pod, uint32_t node)>& visit) override;
  bool allow(uint64_t pod, const std::string& plugin) override {
    return waiting_.allow(model::PodId::from_handle(pod), plugin);
  }
  bool reject(uint64_t pod, const std::string& plugin, std::string_view reason) override {
    return waiting_.reject(model::PodId::from_handle(pod), plugin, std::string(reason));
  }
  void activate(std::span<const uint64_t> pods) override;
  void activate_asked();

  void enqueue(queue::ProfileId profile, std::span<const model::PodId> pods,
               const OnReport& report);
  void ignore(std::span<const model::PodId> pods, const OnReport& report);
  void report_gated(model::PodId pod, const OnReport& report);
  void decide(queue::ProfileId profile, model::PodId pod);
  void end_decision();
  void look_ahead(size_t most);
  void introduce(queue::ProfileId profile, const model::PodRecord& record);
  void verify(framework::Profile& profile, const framework::Request& request);
  void assume(queue::ProfileId profile, model::PodId pod, const OnReport& report);
  void reject(queue::ProfileId profile, model::PodId pod, binding::Rejection rejection,
              const OnReport& report);
  void refuse(queue::ProfileId profile, model::PodId pod, const OnReport& report);
  void requeue(queue::ProfileId profile, model::PodId pod, bool failed,
               const framework::Refusers& refused_by);
  void take_victims(model::PodId pod, const OnReport& report);
  // `skips`: see Binder::add.
  void hand_to_binder(framework::Profile& profile, model::PodId pod, uint64_t skips,
                      const OnReport& report);
  void bound(model::PodId pod, const model::PodRecord& before, const OnReport& report,
             std::string_view extender = {});
  // True if the pod, which counts on a node, is being released and others tell that it runs there.
  bool runs_where_it_counts(model::PodId pod) const {
    return placed_ != nullptr && pod == leaving_ && placed_->slot == cluster_.pod(pod).slot;
  }
  // True if the pod is being bound and its completion was not looked at.
  bool is_in_a_batch(model::PodId pod) const {
    return cluster_.pod(pod).state == model::PodState::kBinding && !under_way_.contains(pod);
  }
  void binding_waits(binding::Completion& completion, const OnReport& report);
  void binding_failed(const binding::Completion& completion, const OnReport& report);
  void take_completion(binding::Completion& completion, const OnReport& report);
  // True if the binding is known.
  bool answer(const BindingAnswer& answer, const OnReport& report);
  void end_pre_bind(const binding::PreBindWaits::Waiting& waiting, std::string_view why,
                    bool pod_leaves, const OnReport& report);
  // The pod that is being released, whose binding is under way, is bound or ends.
  void end_under_way(const OnReport& report);
  // The binding cycle ends before it came to its end. `pod_leaves`: the pod is not tried again.
  void end_binding(framework::Profile& profile, model::PodId pod, const std::string& message,
                   bool pod_leaves, const OnReport& report);
  void post_bind(framework::Profile& profile, model::PodId pod, const OnReport& report);
  void refuse_waiting(const binding::Released& released, const OnReport& report);
  void take_from_node(framework::Profile& profile, model::PodId pod);
  void nominate(model::PodId pod, model::StringId node);
  void clear_nomination(const model::PodRecord& decided, const OnReport& report);
  void write_status(const model::PodRecord& before, bool failed, std::string text);
  void finish_writes(const OnReport& report);
  void bound_after_all(const model::PodRecord& before, const OnReport& report);
  void report_decision(model::PodId pod, const OnReport& report);
  void time_calls();

  model::Cluster& cluster_;
  binding::Binder& binder_;
  binding::Reservation reservation_;
  host::CallContext& calls_;
  const Clock& clock_;
  Server* server_;  // null: what is written is lost
  SchedulerOptions options_;
  std::unique_ptr<framework::Evaluator> evaluator_;
  std::vector<host::CallContext*> others_;
  size_t timed_with_decisions_ = 0;  // the first of others_; the binding thread looks after its own
  std::unique_ptr<framework::Decider> decider_;
  std::vector<model::PodId> next_;  // of look_ahead()
  std::vector<framework::KindAnswers> next_kinds_;
  std::vector<framework::DecisionContext> new_kinds_;
  std::unique_ptr<framework::Verifier> verifier_;        // null: nothing is verified
  std::optional<framework::EvaluationDiffers> differs_;  // the last decision did
  QueuePolicy policy_;
  queue::SchedulingQueue queue_;
  ClusterEvents events_;
  binding::WaitingPods waiting_;
  binding::PreBindWaits pre_binds_;
  binding::BindingsUnderWay under_way_;
  AssumedUpdates updates_;
  DecisionHash hash_;
  framework::Decision* decision_ = nullptr;  // the last one, the decider's
  std::vector<Write> writes_;
  std::vector<Condition> conditions_;    // by index of the pod
  std::vector<model::PodId> activated_;  // by plugins, and not moved yet
  // The pod that is being released, and its object if others tell its node.
  model::PodId leaving_;
  const model::PodRecord* placed_ = nullptr;
  uint32_t start_ = 0;
  uint64_t decisions_ = 0;
};

}  // namespace berth::runtime
