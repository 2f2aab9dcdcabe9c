#include "engine/controllers/kubelet/eviction/usage.h"

#include <algorithm>

namespace berth::controllers::kubelet {

std::optional<int64_t> memory_of(const PodUsage& usage) {
  std::optional<int64_t> sum;
  for (const ContainerUsage& one : usage.containers)
    if (one.memory) sum = sum.value_or(0) + *one.memory;
  return sum;
}

DiskUse layers_of(const PodUsage& usage) {
  DiskUse sum;
  for (const ContainerUsage& one : usage.containers)
    sum += {one.layer.value_or(0), one.layer_inodes.value_or(0)};
  return sum;
}

DiskUse logs_of(const PodUsage& usage) {
  DiskUse sum;
  for (const ContainerUsage& one : usage.containers)
    sum += {one.logs.value_or(0), one.logs_inodes.value_or(0)};
  return sum;
}

DiskUse volumes_of(const PodUsage& usage) {
  DiskUse sum;
  for (const VolumeUsage& one : usage.volumes) sum += {one.bytes, one.inodes};
  return sum;
}

DiskUse volumes_of(const PodUsage& usage, const Pod& pod, bool (Volume::*counts)() const) {
  DiskUse sum;
  for (const Volume& volume : pod.volumes) {
    if (!(volume.*counts)()) continue;
    const auto at = std::ranges::find(usage.volumes, volume.name, &VolumeUsage::name);
    if (at != usage.volumes.end()) sum += {at->bytes, at->inodes};
  }
  return sum;
}

Amount Observation::amount(Signal signal) const {
  const Starved starved = starved_by(signal);
  return starved == Starved::kMemory || starved == Starved::kEphemeralStorage
             ? Amount::bytes(available)
             : Amount::count(available);
}

}  // namespace berth::controllers::kubelet
