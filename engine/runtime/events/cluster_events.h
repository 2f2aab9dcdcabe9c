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
// One thread. Source: kube-scheduler eventhandlers.go, framework/events.go.

#include <cstdint>

#include "engine/framework/hints/hint_event.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/clock.h"

namespace berth::runtime {

class ClusterEvents {
 public:
  // All of it outlives the events.
  ClusterEvents(const model::Cluster& cluster, queue::SchedulingQueue& queue, const Clock& clock)
      : cluster_(cluster), queue_(queue), clock_(clock) {}

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

  // A pod without a node changed; its place in the queue may follow.
  void pending_updated(queue::ProfileId profile, model::PodId pod, const model::PodRecord& before);
  // The pod's nomination ends (it is bound, deleted, or nominated elsewhere): pods of its priority
  // and below were kept from `before.nominated_node` by it. Nothing if it had none. The event shows
  // the pod without a node, even if it counts on one since: what was nominated had none.
  void nomination_ends(const model::PodRecord& before);

 private:
  void tell(const framework::HintEvent& event,
            const queue::SchedulingQueue::PodFilter& filter = nullptr);
  framework::HintEvent pod_event(uint32_t kind, uint32_t action, const model::PodRecord* before,
                                 const model::PodRecord* after) const;

  const model::Cluster& cluster_;
  queue::SchedulingQueue& queue_;
  const Clock& clock_;
};

}  // namespace berth::runtime
