#pragma once

// The objects of pods as a server has them once it has bound them: it may change more of a pod than
// its node (Server::binding_effects).
//
// One thread, the core's. Sources: kube-apiserver v1.36.2, registry/core/pod/storage and the
// admission plugin PodTopologyLabels.

#include <array>
#include <optional>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

class BoundObjects {
 public:
  // Both outlive it. `server`: null has no effects.
  BoundObjects(model::Cluster& cluster, const Server* server)
      : cluster_(cluster), server_(server), joined_(kKept) {}

  // The pod, which counts on its node, is what the server made of it from now on. Returns what it
  // was; nothing if it stays the same.
  std::optional<model::PodRecord> put(model::PodId pod);

 private:
  using Topology = std::array<model::StringId, 2>;
  // Labels of a pod, and what they are with those of a node's topology.
  struct Joined {
    model::LabelSetId of = 0;
    Topology with{};
    model::LabelSetId labels = 0;
    uint64_t context = 0;  // of the shapes: in another one, ids of labels may be used again
  };
  static constexpr size_t kKept = 256;

  // The labels with those of the node's topology, which replace the pod's.
  model::LabelSetId labels_of(const model::PodRecord& pod);
  Topology topology_of(model::Slot slot);
  model::LabelSetId join(model::LabelSetId of, const Topology& with);

  model::Cluster& cluster_;
  const Server* server_;
  Topology keys_{};             // 0: not interned yet
  std::vector<Joined> joined_;  // by a hash of labels and topology
};

}  // namespace berth::runtime
