#pragma once

// The changes of namespaces: they come, go, and get labels.

#include "loadgen/generate/changes/planned_changes.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Each change adds its event to the step. One thread.
class NamespaceChanges {
 public:
  // Both must outlive this.
  NamespaceChanges(GeneratedCluster& cluster, PlannedChanges& planned)
      : cluster_(cluster), planned_(planned) {}

  // Adds a namespace for this occurrence, and plans when it goes.
  void come(const Planned& change, LoadStep& step);
  // Deletes the namespace that came with the same entry and number.
  void go(const Planned& change, LoadStep& step);
  // Labels one of the workload's namespaces.
  void label(const Planned& change, LoadStep& step);

 private:
  GeneratedCluster& cluster_;
  PlannedChanges& planned_;
};

}  // namespace berth::loadgen
