// Cluster: pods are counted on nodes.

#include "engine/base/assert.h"
#include "engine/model/cluster/cluster.h"

namespace berth::model {

void Cluster::place(PodId id, std::string_view node_name) {
  place_on(id, nodes_.slot(strings_.intern_counted(node_name)));
}

void Cluster::place(PodId id, Row row) {
  BERTH_ASSERT(row < nodes_.rows());
  place_on(id, nodes_.slot_of(row));
}

void Cluster::place_on(PodId id, Slot slot) {
  PodRecord& pod = pods_.at(id);
  BERTH_ASSERT(!pod.placed());
  const PodOnNode on_node{id, pod.pod_template, pod.shape, pod.terminating};
  pod.slot = slot;
  pod.position = nodes_.add_pod(slot, on_node);
  if (!templates_[pod.pod_template].claims.empty()) use_claims(pod.pod_template, slot, true);
  if (!pod_groups_.empty())
    pod_groups_.pod_comes(pod.namespace_name, templates_.labels(pod.labels));
  ++placed_;
  counts_.pod_comes(slot, on_node);
  carried_.pod_comes(slot, on_node);
  changed();
}

void Cluster::unplace(PodId id) {
  PodRecord& pod = pods_.at(id);
  BERTH_ASSERT(pod.placed());
  const Slot slot = pod.slot;
  const PodOnNode on_node = nodes_.pods(slot)[pod.position];
  BERTH_ASSERT(on_node.pod == id);
  counts_.pod_goes(slot, on_node);
  carried_.pod_goes(slot, on_node);
  const PodId moved = nodes_.remove_pod(slot, pod.position);
  if (!templates_[on_node.pod_template].claims.empty())
    use_claims(on_node.pod_template, slot, false);
  if (moved) pods_.at(moved).position = pod.position;
  pod.slot = kNoSlot;
  pod.position = 0;
  if (!pod_groups_.empty()) pod_groups_.pod_goes(pod.namespace_name, templates_.labels(pod.labels));
  --placed_;
  changed();
}

// A pod of the same template requests the same: sums by node stay, counts by domain may not.
void Cluster::replace_placed(PodId id, const PodRecord& before) {
  PodRecord& pod = pods_.at(id);
  const PodOnNode now{id, pod.pod_template, pod.shape, pod.terminating};
  const PodOnNode then = nodes_.pods(pod.slot)[pod.position];
  const PodId moved = nodes_.replace_pod(pod.slot, pod.position, now);
  if (moved) pods_.at(moved).position = pod.position;
  pod.position = static_cast<uint32_t>(nodes_.pods(pod.slot).size() - 1);
  if (!pod_groups_.empty()) {
    pod_groups_.pod_goes(before.namespace_name, templates_.labels(before.labels));
    pod_groups_.pod_comes(pod.namespace_name, templates_.labels(pod.labels));
  }
  counts_.pod_changes(pod.slot, then, now);
  carried_.pod_changes(pod.slot, then, now);
  changed();
}

}  // namespace berth::model
