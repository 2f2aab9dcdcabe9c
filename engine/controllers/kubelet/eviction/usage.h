#pragma once

// The use of a node by pods and the system: the statistics that a kubelet looks at. A figure that
// is absent is not known, and mostly counts as 0. Figures are at most 2^53, so sums of them fit.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/kubelet/eviction/signals.h"
#include "engine/controllers/kubelet/pod/pod.h"

namespace berth::controllers::kubelet {

// Bytes, and numbers of inodes.
struct ContainerUsage {
  std::string name;
  std::optional<int64_t> memory{};                 // working set
  std::optional<int64_t> layer{}, layer_inodes{};  // writable layer
  std::optional<int64_t> logs{}, logs_inodes{};
};

struct VolumeUsage {
  std::string name;
  int64_t bytes = 0;
  int64_t inodes = 0;
};

struct PodUsage {
  std::vector<ContainerUsage> containers;  // in the order in which messages name them
  std::vector<VolumeUsage> volumes;
  std::optional<int64_t> processes;
};

struct DiskUse {
  int64_t bytes = 0;
  int64_t inodes = 0;
  DiskUse& operator+=(const DiskUse& other) {
    bytes += other.bytes;
    inodes += other.inodes;
    return *this;
  }
};

// Nothing: no container says how much memory it uses.
std::optional<int64_t> memory_of(const PodUsage& usage);
DiskUse layers_of(const PodUsage& usage);
DiskUse logs_of(const PodUsage& usage);
DiskUse volumes_of(const PodUsage& usage);  // all of them
// Of the pod's volumes that `counts` is true for.
DiskUse volumes_of(const PodUsage& usage, const Pod& pod, bool (Volume::*counts)() const);

// The number of a pod on its machine, in the order in which pods came.
using PodNumber = uint64_t;

struct Observation {
  int64_t available = 0;  // of processes it may be below 0
  int64_t capacity = 0;
  Time time{};
  Amount amount(Signal signal) const;  // what is available
};

// A look at a machine.
struct Statistics {
  BySignal<std::optional<Observation>> signals{};
  std::unordered_map<PodNumber, PodUsage> pods;  // those with statistics

  const PodUsage* usage(PodNumber pod) const {  // null: there is none
    const auto at = pods.find(pod);
    return at == pods.end() ? nullptr : &at->second;
  }
};

}  // namespace berth::controllers::kubelet
