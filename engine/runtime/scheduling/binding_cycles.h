#pragma once

// Binding cycles bind pods that were assumed on their nodes, or give them back to the queue.
//
//   reserve -> begin ----------------------> the binder's batch -> bound
//           \-> hold -> allowed (Permit) -/       |         |
//                    \-> refused                  |         +-> under way -> answer -> bound
//                                                 +-> waits in PreBind -> batch again
//
// A cycle that fails, or is refused, unreserves the pod, takes it from its node, and gives it back
// to the queue, which knows what wakes it. Pods of the batch are bound together, at points that
// depend on input alone (Binder::flush), here called binding.
//
// States of the pods: kPermitWaiting while Permit plugins hold it, kBinding from `begin` until it
// is bound, also while it waits in PreBind or for the server.
//
// Objects of storage that plugins write in PreBind leave between two batches.
//
// One thread. Source: kube-scheduler schedule_one.go bindingCycle, handleBindingCycleError.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binding/binder.h"
#include "engine/binding/bindings_under_way.h"
#include "engine/binding/pre_bind_waits.h"
#include "engine/binding/reservation.h"
#include "engine/runtime/events/assumed_updates.h"
#include "engine/runtime/events/bound_pods.h"
#include "engine/runtime/events/cluster_events.h"
#include "engine/runtime/report.h"
#include "engine/runtime/scheduling/bound_objects.h"
#include "engine/runtime/scheduling/permit_service.h"
#include "engine/runtime/scheduling/pod_writes.h"
#include "engine/runtime/scheduling/queue_policy.h"
#include "engine/runtime/scheduling/scheduler_options.h"
#include "engine/runtime/server.h"
#include "engine/runtime/timekeeper.h"

namespace berth::runtime {

class BindingCycles {
 public:
  // Parts of the scheduler, which outlive the cycles. `calls` is the deciding thread's.
  struct Means {
    model::Cluster& cluster;
    binding::Binder& binder;
    host::CallContext& calls;
    const Clock& clock;
    QueuePolicy& policy;
    queue::SchedulingQueue& queue;
    ClusterEvents& events;
    BoundPods& bound_pods;
    AssumedUpdates& updates;
    PodWrites& writes;
    const OnReport& report;
    const Server* server;  // may be null
  };
  BindingCycles(const Means& means, const SchedulerOptions& options);

  // Tells the keeper how long work takes, from now on; null: nobody. It outlives the next call.
  // Waits for the binding thread.
  void keep_time(Timekeeper* keeper);

  // Asks Reserve and Permit: see Reservation. After a rejection the caller takes the pod from its
  // node.
  binding::Reserved reserve(const framework::DecisionContext& cycle, model::PodId pod,
                            model::Row row) {
    return reservation_.reserve(cycle, pod, row);
  }
  // Unreserves the pod; it counts nowhere and waits, as the object that is its latest.
  void take_from_node(framework::Profile& profile, model::PodId pod);
  // Permit plugins hold the pod from now on. Preconditions: those of WaitingPods::hold.
  void hold(framework::Profile& profile, model::PodId pod, std::vector<binding::Hold> holds);
  // The pod is bound with others, now if they are enough. `skips`: see Binder::add.
  void begin(framework::Profile& profile, model::PodId pod, uint64_t skips) {
    begin(profile, pod, skips, false, {});
  }

  // Binds the pods that began.
  void bind() { bind(Leaving{}); }
  // The same, and lets released pods go on until none is left; readers see their bindings.
  void settle();
  // Runs the binding cycles of the pods that began; readers see their bindings. What follows from
  // them waits for the next call that binds.
  void publish();
  // Lets pods that Permit released go on, in the order of their release, each to its end; and moves
  // pods that plugins activated.
  void continue_released() { continue_released(Leaving{}); }
  // Refuses pods whose Permit timers fired, one after the other; each goes on before the next timer
  // counts.
  void expire_permits();
  // Calls the PreBind plugins again that wait and whose time has come, and binds.
  void continue_pre_binds();
  // The server answers bindings that are under way. One that is not known is passed over: it was
  // answered before, or its pod left. Returns how many those are.
  size_t answer(std::span<const BindingAnswer> answers);
  // Hands to the server what was written, and binds pods whose answer was lost.
  void finish_writes() { finish_writes(Leaving{}); }

  // Ends the pod's cycle: a pod that waits in Permit is refused, one of the batch is bound first,
  // and the binding of one that waits in PreBind or for the server fails. `placed`: see
  // Scheduler::release.
  void release(model::PodId pod, const model::PodRecord* placed);
  // The pods of the batch are bound, and those of the node that wait in PreBind are queued again.
  // To be called before the node is removed.
  void release_node(model::Slot slot);
  // The pod, which counts on a node, has to leave it for the sake of another: if it waits in
  // Permit, or under the rule kPreemptedWaitingErrs in PreBind, its cycle ends when the attempt is
  // over. False: it does not wait, and has to be deleted.
  bool preempt(model::PodId victim, const std::string& plugin);
  // Others know now that the pod, which is assumed, is being deleted. If it waits, its cycle ends.
  void terminates(model::PodId pod);

  // True if the pod is being bound and its completion was not looked at.
  bool is_in_a_batch(model::PodId pod) const {
    return cluster_.pod(pod).state == model::PodState::kBinding && !under_way_.contains(pod);
  }
  // True if plugins are told that the pod is bound (BoundPods).
  bool is_told(model::PodId pod) const { return bound_pods_.is_told(cluster_.pod(pod)); }
  // Pods that wait in Permit.
  binding::WaitingPods& permits() { return permits_.pods(); }
  const binding::WaitingPods& permits() const { return permits_.pods(); }
  // True if a plugin released or activated pods since released ones went on.
  bool permits_were_asked() const { return permits_.was_asked() || !preempted_.empty(); }
  // Pods whose binding cycle waits in PreBind.
  const binding::PreBindWaits& pre_bind_waits() const { return pre_binds_; }
  // Bindings that the server has not answered.
  const binding::BindingsUnderWay& under_way() const { return under_way_; }
  // The batch.
  const binding::Binder& binder() const { return binder_; }

 private:
  // The pod that `release` ends, of which no id is none, and its new object if others tell its
  // node. Handed to all that may bind the pod, or end its cycle, meanwhile.
  struct Leaving {
    model::PodId pod;
    const model::PodRecord* placed = nullptr;
  };
  // The way in which a pod goes on if something else ends its binding cycle.
  enum class After : uint8_t { kTriedAgain, kRemoved, kBoundByAnother };

  // A pod that waits in PreBind, and the plugin for whose sake it leaves.
  struct Preempted {
    model::PodId pod;
    std::string plugin;
  };

  void begin(framework::Profile& profile, model::PodId pod, uint64_t skips, bool announced,
             Leaving leaving);
  void bind(Leaving leaving);
  void continue_released(Leaving leaving);
  void finish_writes(Leaving leaving);
  void take_completion(binding::Completion& completion, Leaving leaving);
  void bound(model::PodId pod, const model::PodRecord& before, Leaving leaving,
             std::string_view extender = {});
  // The pod is one on its node, with the latest object. Returns what it was if that changed.
  std::optional<model::PodRecord> count_bound(model::PodId pod, Leaving leaving,
                                              std::string_view extender);
  void tell_events_of_bound(model::PodId pod, const model::PodRecord& before);
  void bound_after_all(const model::PodRecord& before, Leaving leaving);
  // True if the pod, which counts on a node, is leaving because others tell that it runs there.
  bool runs_where_it_counts(model::PodId pod, Leaving leaving) const {
    return leaving.placed != nullptr && pod == leaving.pod &&
           leaving.placed->slot == cluster_.pod(pod).slot;
  }
  void binding_waits(binding::Completion& completion);
  void binding_failed(const binding::Completion& completion, Leaving leaving);
  // True if the binding is known.
  bool answer(const BindingAnswer& answer);
  void end_pre_bind(const binding::PreBindWaits::Waiting& waiting, std::string_view why,
                    After after);
  void end_preempted();
  void end_under_way(Leaving leaving);
  void end(framework::Profile& profile, model::PodId pod, const std::string& message, After after);
  void post_bind(framework::Profile& profile, model::PodId pod);
  void fail_waiting(const binding::Released& released, Leaving leaving);
  void refuse_waiting(const binding::Released& released, Leaving leaving);

  model::Cluster& cluster_;
  binding::Binder& binder_;
  host::CallContext& calls_;
  const Clock& clock_;
  QueuePolicy& policy_;
  queue::SchedulingQueue& queue_;
  ClusterEvents& events_;
  BoundPods& bound_pods_;
  AssumedUpdates& updates_;
  PodWrites& writes_;
  const OnReport& report_;
  Timekeeper* keeper_ = nullptr;
  const size_t bind_batch_;
  BoundObjects objects_;
  const Rules rules_;
  binding::Reservation reservation_;
  PermitService permits_;
  binding::PreBindWaits pre_binds_;
  std::vector<Preempted> preempted_;
  binding::BindingsUnderWay under_way_;
};

}  // namespace berth::runtime
