#pragma once

// The changes of owners, nodes, zones and namespaces during a load. The workload's changes recur:
// each one plans the next when it happens.

#include <cstdint>
#include <vector>

#include "loadgen/generate/changes/namespace_changes.h"
#include "loadgen/generate/changes/node_changes.h"
#include "loadgen/generate/changes/node_outages.h"
#include "loadgen/generate/changes/planned_changes.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/owners/daemon_sets.h"
#include "loadgen/generate/owners/owned_pods.h"
#include "loadgen/generate/pod_tasks.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Its parts refer to each other, so it stays where it is. One thread.
class ClusterChanges {
 public:
  // All must outlive this.
  ClusterChanges(GeneratedCluster& cluster, OwnedPods& owned, const DaemonSets& daemon_sets,
                 PodTasks& tasks);
  ClusterChanges(const ClusterChanges&) = delete;
  ClusterChanges& operator=(const ClusterChanges&) = delete;

  // Plans the first occurrence of every recurring change. Call once, before all others.
  void begin();
  // The time of the next change; kNever if there is none.
  int64_t next() const;
  // True if the next change needs pods that unfinished tasks still have to create.
  bool waits_for_tasks() const;
  // Adds the next change to the step. Requires: there is one, and it does not wait for tasks.
  void happen(LoadStep& step);

 private:
  const std::vector<ChurnSpec>& churn_of(What what) const;
  void plan_scale(uint32_t owner, int64_t last, uint64_t number);
  void plan_next(const Planned& last);
  void scale(const Planned& change, LoadStep& step);

  GeneratedCluster& cluster_;
  OwnedPods& owned_;
  PodTasks& tasks_;
  PlannedChanges planned_;
  NodeChanges nodes_;
  NodeOutages outages_;
  NamespaceChanges namespaces_;
};

}  // namespace berth::loadgen
