#pragma once

// Updates of pods that count on a node and are not bound there yet.
//
// Such a pod is assumed: it counts as the object that was decided. An update of it changes nothing
// until the pod is bound, when its new object is what counts on the node, or until the pod leaves
// the node, when its new object goes back to the queue. Of several updates the last one counts.
//
// Source: kube-scheduler eventhandlers.go updatePodInSchedulingQueue, which returns if the pod is
// assumed; backend/cache/cache.go AddPod, which replaces the assumed object; schedule_one.go
// handleSchedulingFailure, which takes the object from the informer.

#include <boost/unordered/unordered_flat_map.hpp>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

class AssumedUpdates {
 public:
  // `cluster` outlives it.
  explicit AssumedUpdates(model::Cluster& cluster) : cluster_(cluster) {}
  AssumedUpdates(const AssumedUpdates&) = delete;
  AssumedUpdates& operator=(const AssumedUpdates&) = delete;

  // True if an update of the pod has to be kept.
  static bool applies_to(const model::PodRecord& pod) {
    return pod.placed() && pod.state != model::PodState::kBound;
  }

  // Keeps the object, as Cluster::update_pod takes it, in the place of an earlier one.
  // Precondition: applies_to the pod.
  void keep(model::PodId pod, const model::PodRecord& object);
  // The pod's object as the rest of the cluster knows it: the kept one, or that of the pod table.
  // Valid until the next call of a function that is not const, or change of the pod.
  const model::PodRecord& latest(model::PodId pod) const;
  // Makes the kept object the one that counts; no effect if there is none.
  void count(model::PodId pod) {
    if (!kept_.empty()) count_kept(pod);
  }
  // Pods with a kept object, in no particular order.
  std::vector<model::PodId> pods() const;

 private:
  void count_kept(model::PodId pod);

  model::Cluster& cluster_;
  // By index of the pod; retained. A pod that is removed leaves its node first.
  boost::unordered_flat_map<uint32_t, model::PodRecord> kept_;
};

}  // namespace berth::runtime
