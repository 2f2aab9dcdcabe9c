#pragma once

// Which events may help pods that VolumeRestrictions refused (kube-scheduler v1.34.1,
// plugins/volumerestrictions).

#include "plugins/volume_restrictions/volume_restrictions.h"

namespace berth::plugins {

// A new node; a new claim of the pod; the end of a pod of its namespace that has one of its disks
// or claims.
class RestrictionsHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  bool frees(const sdk::Columns& gone, const sdk::Columns& refused) const;
  bool has_claim(const sdk::Columns& pod, uint64_t key) const;

  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{*this, "pod.claim_owners"};
  sdk::ListInput<uint64_t> disks_{*this, "pod.disks"};
};

}  // namespace berth::plugins
