#include "engine/runtime/events/cluster_events.h"

#include <vector>

namespace berth::runtime {

using framework::HintEvent;
using model::PodRecord;

void ClusterEvents::tell(const HintEvent& event, const queue::SchedulingQueue::PodFilter& filter) {
  queue_.move_all({event.kind, event.action, &event}, clock_.now(), filter);
}

void ClusterEvents::node_added(model::Slot slot) {
  if (queue_.concerns({BERTH_ON_NODE, BERTH_DID_ADD, nullptr}))
    tell(framework::node_event(BERTH_DID_ADD, slot, nullptr, cluster_));
}

void ClusterEvents::node_updated(model::Slot slot, model::Changes changes,
                                 const model::NodeTable::Values& before) {
  for (const uint32_t action : framework::node_actions(changes, cluster_.nodes().node(slot)))
    if (queue_.concerns({BERTH_ON_NODE, action, nullptr}))
      tell(framework::node_event(action, slot, &before, cluster_));
}

void ClusterEvents::node_leaves(model::Slot slot) {
  if (!queue_.concerns({BERTH_ON_NODE, BERTH_DID_DELETE, nullptr})) return;
  const model::NodeTable::Values before = cluster_.nodes().node(slot);
  tell(framework::node_event(BERTH_DID_DELETE, slot, &before, cluster_));
}

void ClusterEvents::storage_changed(const model::VolumeChange& change) {
  const HintEvent event = framework::storage_event(change);
  if (queue_.concerns({event.kind, event.action, nullptr})) tell(event);
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
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_ADD, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_ADD, nullptr, &cluster_.pod(pod)));
}

void ClusterEvents::assigned_updated(model::PodId pod, const PodRecord& before) {
  const PodRecord& after = cluster_.pod(pod);
  for (const uint32_t action : framework::pod_actions(before, after, cluster_))
    if (queue_.concerns({BERTH_ON_POD_ASSIGNED, action, nullptr}))
      tell(pod_event(BERTH_ON_POD_ASSIGNED, action, &before, &after));
}

void ClusterEvents::assigned_left(const PodRecord& before) {
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &before, nullptr));
}

void ClusterEvents::assigned_left_others(const PodRecord& before) {
  if (queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr}))
    tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &before, nullptr),
         [&](model::PodId other) { return other != before.id; });
}

void ClusterEvents::pending_updated(queue::ProfileId profile, model::PodId pod,
                                    const PodRecord& before) {
  const PodRecord& after = cluster_.pod(pod);
  std::vector<HintEvent> details;
  for (const uint32_t action : framework::pod_actions(before, after, cluster_))
    details.push_back(pod_event(BERTH_ON_POD_PENDING, action, &before, &after));
  std::vector<queue::QueueEvent> events;
  for (const HintEvent& detail : details) events.push_back({detail.kind, detail.action, &detail});
  queue_.update(profile, pod, events, clock_.now());
}

void ClusterEvents::nomination_ends(const PodRecord& before) {
  if (before.nominated_node == 0) return;
  if (!queue_.concerns({BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, nullptr})) return;
  PodRecord pending = before;
  pending.slot = model::kNoSlot;
  tell(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &pending, nullptr),
       [&](model::PodId other) { return cluster_.pod(other).priority <= before.priority; });
}

}  // namespace berth::runtime
