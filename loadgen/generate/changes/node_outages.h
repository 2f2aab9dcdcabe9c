#pragma once

// The changes of nodes that the controllers of a run answer: kubelets stop and go on, of a node or
// of a whole zone, and drains go from node to node.

#include <cstdint>
#include <optional>

#include "loadgen/generate/changes/planned_changes.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Each change adds its events to the step, and plans when it is undone. One thread.
class NodeOutages {
 public:
  // Both must outlive this.
  NodeOutages(GeneratedCluster& cluster, PlannedChanges& planned)
      : cluster_(cluster), planned_(planned) {}

  // The kubelet of a drawn node stops; no effect if no node is well.
  void stop(const Planned& change, LoadStep& step);
  // change.number: the node.
  void go_on(const Planned& change, LoadStep& step);
  // The kubelets of a drawn zone stop, of nodes of the entry's shapes.
  void stop_zone(const Planned& change, LoadStep& step);
  // change.number: the zone.
  void go_on_in_zone(const Planned& change, LoadStep& step);

  // Drains the node whose number is the change's less 1, or the next one of the entry's shapes.
  // Returns the change of the node that was drained; nothing after the last one.
  std::optional<Planned> drain(Planned change, LoadStep& step);
  // change.number: the node. It can be scheduled to again.
  void come_back(const Planned& change, LoadStep& step);

 private:
  uint64_t bits(For purpose, const Planned& change) const {
    return drawn_for(cluster_.seed, purpose, change);
  }
  void plan_end(const Planned& change, const ChurnSpec& churn, What end, uint64_t number);
  void tell(uint64_t node, LoadStep& step);
  template <typename Visit>
  void each_in_zone(uint64_t zone, const ChurnSpec& churn, Visit visit) const;

  GeneratedCluster& cluster_;
  PlannedChanges& planned_;
};

}  // namespace berth::loadgen
