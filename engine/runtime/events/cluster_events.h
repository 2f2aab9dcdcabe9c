#pragma once

// Tells the scheduling queue what a change of the cluster means to pods that wait: the part of
// kube-scheduler's event handlers that comes after its cache was updated.
//
// The caller changes the model and then calls the function of that change, with what was there
// before where the function asks for it. Records of pods that are gone hold ids, so their events
// are told before ids are retired (Cluster::collect).
//
// While no pod waits for such an event, a call costs one look at the queue.
//
// With a timekeeper, each event is told with the time that it took: from the beginning of the
// change (Change), or from the event before it of that change, until the queue knows it.
//
// One thread. Source: kube-scheduler eventhandlers.go, framework/events.go.

#include <cstdint>

#include "engine/base/rules/rules.h"
#include "engine/framework/hints/hint_event.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/actors.h"
#include "engine/runtime/clock.h"
#include "engine/runtime/timekeeper.h"

namespace berth::runtime {

class ClusterEvents {
 public:
  // All of it outlives the events, but for the rules.
  ClusterEvents(const model::Cluster& cluster, queue::SchedulingQueue& queue, const Clock& clock,
                const Rules& rules)
      : cluster_(cluster),
        queue_(queue),
        clock_(clock),
        binding_is_quiet_(rules.has(Rule::kBindingQuiet)) {}

  // A change of the cluster, or several, come in and bring events. May nest.
  class Change {
   public:
    explicit Change(ClusterEvents& events) : events_(events) {
      if (events_.keeper_ != nullptr && events_.changes_++ == 0)
        events_.mark_ = events_.keeper_->now();
    }
    ~Change() {
      if (events_.keeper_ != nullptr) --events_.changes_;
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    ClusterEvents& events_;
  };
  // Tells the actors of pods from now on; they outlive the events.
  void tell_too(Actors& actors) { actors_ = &actors; }
  // Tells the keeper of events from now on; null: nobody. It outlives the next call. Precondition:
  // no change comes in.
  void keep_time(Timekeeper* keeper) { keeper_ = keeper; }

  void node_added(model::Slot slot);
  // `changes` and `before` are what put_node returned and handed out.
  void node_updated(model::Slot slot, model::Changes changes,
                    const model::NodeTable::Values& before);
  void node_leaves(model::Slot slot);  // it is there still

  void storage_changed(const model::VolumeChange& change);

  // A pod counts on a node from now on, and everybody knows: it was bound, or came so.
  void assigned_added(model::PodId pod);
  void assigned_updated(model::PodId pod, const model::PodRecord& before);
  // The pod is gone from its node, or was assumed there and is not any more.
  void assigned_left(const model::PodRecord& before);
  // The same; not told to the pod itself, which waits again.
  void assigned_left_others(const model::PodRecord& before);

  // So many pods arrived, and are queued.
  void pods_queued(size_t pods);
  // A pod without a node changed; its place in the queue may follow.
  void pending_updated(queue::ProfileId profile, model::PodId pod, const model::PodRecord& before);
  // The pod's nomination ends (it is deleted, or nominated elsewhere): pods of its priority
  // and below were kept from `before.nominated_node` by it. Nothing if it had none. The event shows
  // the pod without a node, even if it counts on one since: what was nominated had none.
  void nomination_ends(const model::PodRecord& before);
  // The same of a pod that is bound, which comes with its own event. Nothing if bindings are quiet.
  void nomination_ends_by_binding(const model::PodRecord& before) {
    if (!binding_is_quiet_) nomination_ends(before);
  }
  // True if a binding tells of the pod on its node, and of nothing that it ends.
  bool binding_is_quiet() const { return binding_is_quiet_; }
  // A pod that counted on no node is gone.
  void pending_left(const model::PodRecord& before);

 private:
  // When the event that is handled next began.
  Time begins() const {
    if (keeper_ == nullptr) [[likely]]
      return {};
    return changes_ != 0 ? mark_ : keeper_->now();
  }
  void handled(Time begun, const queue::Move& event, size_t events = 1) {
    if (keeper_ != nullptr) [[unlikely]]
      tell_handled(begun, event, events);
  }
  void handled(Time begun, uint32_t kind, uint32_t action) {
    handled(begun, {queue::MoveCause::kEvent, kind, action});
  }
  void tell_handled(Time begun, const queue::Move& event, size_t events);
  void changed(model::PodId pod) {
    if (actors_ != nullptr) actors_->pod_changed(pod);
  }
  void bound(model::PodId pod) {
    if (actors_ != nullptr) actors_->pod_bound(pod);
  }
  void tell(const framework::HintEvent& event,
            const queue::SchedulingQueue::PodFilter& filter = nullptr);
  framework::HintEvent pod_event(uint32_t kind, uint32_t action, const model::PodRecord* before,
                                 const model::PodRecord* after) const;

  const model::Cluster& cluster_;
  queue::SchedulingQueue& queue_;
  const Clock& clock_;
  const bool binding_is_quiet_;
  Actors* actors_ = nullptr;
  Timekeeper* keeper_ = nullptr;
  int changes_ = 0;  // that come in, one within the other
  Time mark_{};      // the beginning of the change, or the end of its last event
};

}  // namespace berth::runtime
