#pragma once

// The settings of a kubelet, and the size of its machine.

#include "engine/controllers/kubelet/eviction/eviction_manager.h"
#include "engine/controllers/kubelet/eviction/machine.h"
#include "engine/model/objects/kubelet_objects.h"
#include "engine/model/objects/objects.h"

namespace berth::played {

// The machine of a node, as its object tells it.
struct NodeSize {
  // Bytes and numbers, 0 where nothing is said: of status.capacity, or else of status.allocatable.
  int64_t memory = 0, allocatable_memory = 0;
  int64_t storage = 0;       // ephemeral-storage
  int64_t inodes = 0;        // berth/inodes
  int64_t processes = 0;     // berth/pids
  bool told_memory = false;  // memory is a capacity of its own
  bool operator==(const NodeSize&) const = default;
};

NodeSize size_of(const model::Node& node);

// True if the kubelet of a node with these labels has this configuration, and not the one for all
// others.
bool selects(const model::KubeletConfiguration& configuration, const model::StringMap& labels);

// `configuration`: null: the kubelet has the defaults.
//
// What the system and kubelets reserve is what a node does not let pods use: where no capacity of
// memory is told and something is reserved, the capacity is the sum of that, of what is
// allocatable, and of the hard threshold.
controllers::kubelet::MachineSize machine_size(const NodeSize& size,
                                               const model::KubeletConfiguration* configuration);

// Thresholds for what the machine has nothing of are left out: nothing is known of it.
controllers::kubelet::EvictionSettings eviction_settings(
    const model::KubeletConfiguration* configuration,
    const controllers::kubelet::MachineSize& machine);

}  // namespace berth::played
