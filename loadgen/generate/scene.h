#pragma once

// The cluster in which a load begins, step by step: namespaces, selector owners, classes of
// storage, nodes, running pods, and the initial pods of owners.

#include <cstdint>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/owners/daemon_sets.h"
#include "loadgen/generate/placed_pods.h"
#include "loadgen/generate/pod_tasks.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class Scene {
 public:
  // All must outlive this.
  Scene(GeneratedCluster& cluster, PodWriter& writer, const DaemonSets& daemon_sets,
        PodTasks& tasks);

  // Fills a cleared step with the next part; false, perhaps with another value of `measured`, when
  // the scene is complete.
  bool next(LoadStep& step);

 private:
  // The phases run in this order.
  enum class Phase : uint8_t {
    kNamespaces,
    kSelectorOwners,
    kStorage,
    kNodes,
    kPlaced,
    kOwners,
    kOver
  };

  bool fill(LoadStep& step);
  bool fill_namespaces(LoadStep& step);
  bool fill_selector_owners(LoadStep& step);
  bool fill_storage(LoadStep& step);
  bool fill_nodes(LoadStep& step);
  bool fill_placed(LoadStep& step);
  bool fill_owners(LoadStep& step);
  void begin_owner(uint32_t owner, LoadStep& step);

  GeneratedCluster& cluster_;
  PodWriter& writer_;
  const DaemonSets& daemon_sets_;
  PodTasks& tasks_;
  PlacedPods placed_;
  Phase phase_ = Phase::kNamespaces;
  uint64_t cursor_ = 0;  // position within the phase
};

}  // namespace berth::loadgen
