#pragma once

// The scheduling cycles over one model: pods leave the queue in order, are decided, and are assumed
// on their nodes, where their binding cycles begin (BindingCycles). A pod that fails on the way
// goes back to the queue, which knows what wakes it.
//
// Writes. The scheduler writes to the API server (a nomination, an eviction, a binding) and hears
// of it as an event. A nomination counts at once; its event, and evictions, follow when the attempt
// is over (PodWrites).
//
// The scheduler owns the states of pods between waiting and bound. It does not own pods: whoever
// removes a pod or its node says so first (`release`), since queue and binding refer to it.
//
// One thread. Source: kube-scheduler schedule_one.go.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runtime/scheduling/binding_cycles.h"
#include "engine/runtime/scheduling/decisions.h"

namespace berth::runtime {

class Scheduler {
 public:
  // All of it outlives the scheduler. `calls` is the deciding thread's. `server`: see CoreOptions.
  // `report` is told what happens.
  Scheduler(model::Cluster& cluster, std::vector<std::unique_ptr<framework::Profile>>& profiles,
            binding::Binder& binder, host::CallContext& calls, const Clock& clock, Server* server,
            const OnReport& report, SchedulerOptions options);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Tells the keeper how long work takes, from now on; null: nobody. It outlives the next call,
  // which is between two of the core's.
  void keep_time(Timekeeper* keeper);

  // Pods that arrive together. Each is ignored, gated or queued; the first two are reported.
  // Preconditions: they have no node and are unknown to the queue; their state is waiting or gated.
  void enqueue(std::span<const model::PodId> pods);
  // A pod without a node is not what it was: `before`.
  void pending_updated(model::PodId pod, const model::PodRecord& before);
  // Ends all use of the pod: it leaves the queue, and its binding cycle ends (BindingCycles). To be
  // called before it is removed, or when others tell its node: `placed` is its new object then,
  // with the slot of the node, and null before. If the pod is bound on that node meanwhile, it is
  // the new object.
  void release(model::PodId pod, const model::PodRecord* placed);
  // Others know the pod's status now as it was written; what they knew `before`. No effect if the
  // pod is gone.
  void status_known(const model::PodRecord& before);

  // See SchedulingQueue::activate.
  void activate(model::PodId pod) { queue_.activate({&pod, 1}, clock_.now()); }
  // The plugin of the profile with that name says that pods which it refused may fit. See
  // SchedulingQueue::wake.
  void wake(std::string_view scheduler, const std::string& plugin);
  // Takes the next pod out of the queue; nothing if none can be popped.
  std::optional<model::PodId> pop();
  // Tries a popped pod. What it wrote was told when this returns, and binding cycles that it
  // released have gone on. Throws framework::EvaluationDiffers if the decision was verified and
  // differs; the attempt has failed, then.
  void attempt(model::PodId pod);

  queue::SchedulingQueue& queue() { return queue_; }
  const queue::SchedulingQueue& queue() const { return queue_; }
  QueuePolicy& policy() { return policy_; }
  const QueuePolicy& policy() const { return policy_; }
  Decisions& decisions() { return decisions_; }
  const Decisions& decisions() const { return decisions_; }
  BindingCycles& bindings() { return bindings_; }
  const BindingCycles& bindings() const { return bindings_; }
  AssumedUpdates& updates() { return updates_; }
  const AssumedUpdates& updates() const { return updates_; }
  ClusterEvents& events() { return events_; }
  BoundPods& bound_pods() { return bound_pods_; }
  bool assumes() const { return options_.assume; }
  // Pods that can be popped now.
  size_t queued() const;

 private:
  void enqueue(queue::ProfileId profile, std::span<const model::PodId> pods);
  void ignore(std::span<const model::PodId> pods);
  void report_gated(model::PodId pod);
  void assume(queue::ProfileId profile, model::PodId pod, framework::Decision& decision);
  void reject(queue::ProfileId profile, model::PodId pod, framework::Decision& decision,
              binding::Rejection rejection);
  void refuse(queue::ProfileId profile, model::PodId pod, const framework::Decision& decision);
  void requeue(queue::ProfileId profile, model::PodId pod, const framework::Decision& decision);
  void take_victims(model::PodId pod, const framework::PostFilterResult& result);
  void report_decision(model::PodId pod, const framework::Decision& decision);

  model::Cluster& cluster_;
  const Clock& clock_;
  const OnReport& report_;
  const SchedulerOptions options_;
  uint64_t cycle_ = 0;  // counts the pods that were popped
  QueuePolicy policy_;
  queue::SchedulingQueue queue_;
  ClusterEvents events_;
  BoundPods bound_pods_;
  AssumedUpdates updates_;
  Decisions decisions_;
  PodWrites writes_;
  BindingCycles bindings_;
};

}  // namespace berth::runtime
