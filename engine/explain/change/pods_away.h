#pragma once

// Pods that are taken off their nodes in the model for a trial, and put back after it: a row's
// overlay cannot show that another node lacks a pod. Belongs to the thread that owns the model.

#include <utility>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::explain {

class PodsAway {
 public:
  // The cluster outlives the object.
  explicit PodsAway(model::Cluster& cluster) : cluster_(cluster) {}
  PodsAway(const PodsAway&) = delete;
  PodsAway& operator=(const PodsAway&) = delete;
  ~PodsAway() { put_all_back(); }

  void take(model::PodId pod);      // precondition: the pod counts on a node
  void put_back(model::PodId pod);  // precondition: it was taken
  void put_all_back();

  // In the order in which they were taken.
  std::vector<model::PodId> all() const;
  bool empty() const { return away_.empty(); }

 private:
  void place(const std::pair<model::PodId, model::Slot>& one);

  model::Cluster& cluster_;
  std::vector<std::pair<model::PodId, model::Slot>> away_;  // with their nodes
};

}  // namespace berth::explain
