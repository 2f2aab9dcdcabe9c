#pragma once

// A change of the cluster, as queueing hints see it: what happened to which object, and the object
// before and after.
//
// The object after an event is in the model. The object before it is kept by whoever applies the
// event:
//
//   node added      put_node(node); node_event(BERTH_DID_ADD, slot, nullptr, cluster)
//   node updated    NodeTable::Values before; put_node(node, &before) hands out what it replaced;
//                   then one event for each of node_actions(changes, after), with the same `before`
//   node deleted    a copy of node(slot) before remove_node
//   pod added       place the pod; pod_event(kind, BERTH_DID_ADD, nullptr, &record, node)
//   pod updated     a copy of the pod's record before update_pod; then one event for each of
//                   pod_actions(before, after, cluster)
//   pod deleted     a copy of the pod's record before remove_pod;
//                   pod_event(kind, BERTH_DID_DELETE, &copy, nullptr, node)
//   storage         storage_event(what Volumes::put or remove returned)
//
// Records and values that were replaced stay readable until the next Cluster::collect. A node event
// takes no second phase: hints compute a column's value before the event from the values that
// put_node handed out, and only for those templates that somebody asks about.

#include <cstdint>
#include <vector>

#include "berth/abi/enqueue.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// Plain data; nothing is owned. An event is of a node, a pod or an object of storage; the members
// of the others stay empty.
struct HintEvent {
  uint32_t kind = 0;    // one BERTH_ON_ bit
  uint32_t action = 0;  // BERTH_DID_ bits

  model::Slot slot = model::kNoSlot;                      // of the node
  const model::NodeTable::Values* node_before = nullptr;  // null: added
  const model::NodeTable::Values* node_after = nullptr;   // null: deleted

  const model::PodRecord* pod_before = nullptr;  // null: added
  const model::PodRecord* pod_after = nullptr;   // null: deleted
  // The node that the pod's object names in spec.nodeName (0: none). It is no copy of
  // PodRecord::slot: a pod that is assumed has a slot, and its object may not name a node yet.
  model::StringId assigned = 0;
  // The node in status.nominatedNodeName (0: none), before an update or deletion.
  model::StringId nominated = 0;

  // Of an object of storage: see berth_event. They outlive the event.
  const void* object_before = nullptr;
  const void* object_after = nullptr;

  bool of_node() const { return node_before != nullptr || node_after != nullptr; }
  // The event's pod; no id if it is of a node.
  model::PodId pod() const {
    const model::PodRecord* record = pod_after != nullptr ? pod_after : pod_before;
    return record != nullptr ? record->id : model::PodId{};
  }
};

// The actions of an update, in the order in which kube-scheduler makes an event of each. Each is
// one BERTH_DID_ bit; a bit may come twice (a node that is uncordoned and loses a taint).
using Actions = std::vector<uint32_t>;

// `changes`: what put_node returned for a node that existed. Empty if kube-scheduler tells its
// queue nothing, as for a node that is cordoned.
Actions node_actions(model::Changes changes, const model::NodeTable::Values& after);

// One BERTH_DID_UPDATE_OTHER if nothing more specific changed.
Actions pod_actions(const model::PodRecord& before, const model::PodRecord& after,
                    const model::Cluster& cluster);

// `before`: null for an added node. A deleted node has no values after.
HintEvent node_event(uint32_t action, model::Slot slot, const model::NodeTable::Values* before,
                     const model::Cluster& cluster);

// `assigned`: see HintEvent. The nomination is that of `before`, or of an added pod.
HintEvent pod_event(uint32_t kind, uint32_t action, const model::PodRecord* before,
                    const model::PodRecord* after, model::StringId assigned);

// Its action is one of BERTH_DID_ADD, BERTH_DID_UPDATE_OTHER and BERTH_DID_DELETE.
HintEvent storage_event(const model::VolumeChange& change);

}  // namespace berth::framework
