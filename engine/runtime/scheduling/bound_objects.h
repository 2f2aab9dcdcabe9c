#pragma once

// The objects of pods as a server has them once it has bound them: it may change more of a pod than
// its node (Server::binding_effects).
//
// One thread, the core's. Sources: kube-apiserver v1.36.2, registry/core/pod/storage and the
// admission plugin PodTopologyLabels.

#include <array>
#include <optional>

#include "engine/model/cluster/cluster.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

class BoundObjects {
 public:
  // Both outlive it. `server`: null has no effects.
  BoundObjects(model::Cluster& cluster, const Server* server)
      : cluster_(cluster), server_(server) {}

  // The pod, which counts on its node, is what the server made of it from now on. Returns what it
  // was; nothing if it stays the same.
  std::optional<model::PodRecord> put(model::PodId pod);

 private:
  // The labels with those of the node's topology, which replace the pod's.
  model::Labels labels_of(const model::PodRecord& pod);

  model::Cluster& cluster_;
  const Server* server_;
  std::array<model::StringId, 2> topology_{};  // keys; 0: not interned yet
};

}  // namespace berth::runtime
