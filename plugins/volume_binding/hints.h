#pragma once

// Which events may help pods that VolumeBinding refused (kube-scheduler v1.34.1,
// plugins/volumebinding).

#include "plugins/volume_binding/volume_binding.h"

namespace berth::plugins {

// A new node or other labels of one; any volume; a claim of the pod; a class, or other topologies
// of one; a CSINode, or other migrated plugins of one; a capacity that is new or larger; a driver
// of a volume of the pod that no longer publishes capacities.
class BindingHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> drivers_{*this, "pod.csi_drivers"};
};

}  // namespace berth::plugins
