#pragma once

// The changes of nodes: they fail and are repaired, are drained and opened again, and get labels.

#include <cstdint>

#include "loadgen/generate/changes/planned_changes.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/owners/daemon_sets.h"
#include "loadgen/generate/pod_tasks.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Each change adds its events to the step. fail(), drain() and label() draw a node that is neither
// down nor drained, and do nothing if they find none. fail() and drain() plan when they are undone.
// One thread.
class NodeChanges {
 public:
  // All must outlive this.
  NodeChanges(GeneratedCluster& cluster, const DaemonSets& daemon_sets, PodTasks& tasks,
              PlannedChanges& planned)
      : cluster_(cluster), daemon_sets_(daemon_sets), tasks_(tasks), planned_(planned) {}

  // Deletes a node together with its DaemonSet pods. The generator does not know which other pods
  // run there.
  void fail(const Planned& change, LoadStep& step);
  // Adds the node again, and a task for its DaemonSet pods.
  void repair(uint64_t node, LoadStep& step);
  void drain(const Planned& change, LoadStep& step);
  void undrain(uint64_t node, LoadStep& step);
  void label(const Planned& change, LoadStep& step);

 private:
  uint64_t bits(For purpose, const Planned& change) const {
    return drawn_for(cluster_.seed, purpose, change);
  }
  void plan_end(const Planned& change, const ChurnSpec& churn, What end, uint64_t node);

  GeneratedCluster& cluster_;
  const DaemonSets& daemon_sets_;
  PodTasks& tasks_;
  PlannedChanges& planned_;
};

}  // namespace berth::loadgen
