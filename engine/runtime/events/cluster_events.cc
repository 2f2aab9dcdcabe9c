#include "engine/runtime/events/cluster_events.h"

#include <vector>

namespace berth::runtime {

using framework::HintEvent;
using model::PodRecord;

void ClusterEvents::tell(const HintEvent& event, const queue::SchedulingQueue::PodFilter& filter) {
  queue_.move_all({event.kind, event.action, &event}, clock_.now(), filter);
}

void ClusterEvents::tell_handled(Time begun, const queue::Move& event, size_t events) {
  const Time now = keeper_->now();
  keeper_->handled(event, events, (now - begun) / static_cast<int64_t>(events));
  mark_ = now;
}

void ClusterEvents::node_added(model::Slot slot) {
  const Time begun = begins();
  if (queue_.concerns({BERTH_ON_NODE, BERTH_DID_ADD, nullptr}))
    tell(framework::node_event(BERTH_DID_ADD, slot, nullptr, cluster_));
  handled(begun, BERTH_ON_NODE, BERTH_DID_ADD);
}

void ClusterEvents::node_updated(model::Slot slot, model::Changes changes,
                                 const model::NodeTable::Values& before) {
  for (const uint32_t action : framework::node_actions(changes, cluster_.nodes().node(slot))) {
    const Time begun = begins();
    if (queue_.concerns({BERTH_ON_NODE, action, nullptr}))
      tell(framework::node_event(action, slot, &before, cluster_));
    handled(begun, BERTH_ON_NODE, action);
  }
}

void ClusterEvents::node_leaves(model::Slot slot) {
  const Time begun = begins();
  if (queue_.concerns({BERTH_ON_NODE, BERTH_DID_DELETE, nullptr})) {
    const model::NodeTable::Values before = cluster_.nodes().node(slot);
    tell(framework::node_event(BERTH_DID_DELETE, slot, &before, cluster_));
  }
  handled(begun, BERTH_ON_NODE, BERTH_DID_DELETE);
}

void ClusterEvents::storage_changed(const model::VolumeChange& change) {
  const Time begun = begins();
  const HintEvent event = framework::storage_event(change);
  if (queue_.concerns({event.kind, event.action, nullptr})) tell(event);
  handled(begun, event.kind, event.action);
}

HintEvent ClusterEvents::pod_event(uint32_t kind, uint32_t action, const PodRecord* before,
                                   const PodRecord* after) const {
  const PodRecord& pod = after != nullptr ? *after : *before;
  HintEvent event;
  event.kind = kind;
  event.action = action;
  event.pod_before = before;
  event.pod_after = after;
  if (pod.placed()) event.assigned = cluster_.nodes().node(pod.slot).name;
  event.nominated = pod.nominated_node;
  return event;
}

void ClusterEvents::assigned_added(model::PodId pod) {
  const Time begun = begins();
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_ADD, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_ADD, nullptr, &cluster_.pod(pod)));
  handled(begun, BERTH_ON_POD_ASSIGNED, BERTH_DID_ADD);
  bound(pod);
}

void ClusterEvents::assigned_updated(model::PodId pod, const PodRecord& before) {
  const PodRecord& after = cluster_.pod(pod);
  for (const uint32_t action : framework::pod_actions(before, after, cluster_)) {
    const Time begun = begins();
    if (queue_.concerns({BERTH_ON_POD_ASSIGNED, action, nullptr}))
      tell(pod_event(BERTH_ON_POD_ASSIGNED, action, &before, &after));
    handled(begun, BERTH_ON_POD_ASSIGNED, action);
  }
  changed(pod);
}

void ClusterEvents::assigned_left(const PodRecord& before) {
  const Time begun = begins();
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &before, nullptr));
  handled(begun, BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE);
}

void ClusterEvents::assigned_left_others(const PodRecord& before) {
  const Time begun = begins();
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &before, nullptr),
         [&](model::PodId other) { return other != before.id; });
  handled(begun, BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE);
}

void ClusterEvents::pods_queued(size_t pods) {
  if (pods != 0) handled(begins(), {queue::MoveCause::kPodAdd, 0, 0}, pods);
}

void ClusterEvents::pending_updated(queue::ProfileId profile, model::PodId pod,
                                    const PodRecord& before) {
  const Time begun = begins();
  const PodRecord& after = cluster_.pod(pod);
  std::vector<HintEvent> details;
  for (const uint32_t action : framework::pod_actions(before, after, cluster_))
    details.push_back(pod_event(BERTH_ON_POD_PENDING, action, &before, &after));
  std::vector<queue::QueueEvent> events;
  for (const HintEvent& detail : details) events.push_back({detail.kind, detail.action, &detail});
  queue_.update(profile, pod, events, clock_.now());
  for (const HintEvent& detail : details) handled(begun, detail.kind, detail.action);
  changed(pod);
}

void ClusterEvents::nomination_ends(const PodRecord& before) {
  if (before.nominated_node == 0) return;
  if (!queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr})) return;
  PodRecord pending = before;
  pending.slot = model::kNoSlot;
  tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &pending, nullptr),
       [&](model::PodId other) { return cluster_.pod(other).priority <= before.priority; });
}

void ClusterEvents::pending_left(const PodRecord& before) {
  const Time begun = begins();
  nomination_ends(before);
  handled(begun, BERTH_ON_POD_PENDING, BERTH_DID_DELETE);
}

}  // namespace berth::runtime
