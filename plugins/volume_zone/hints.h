#pragma once

// Which events may help pods that VolumeZone refused (kube-scheduler v1.34.1, plugins/volumezone).

#include "plugins/volume_zone/volume_zone.h"

namespace berth::plugins {

// A new node or other labels of one; a claim of the pod; a new volume or other zones of one; a new
// class whose claims wait for pods.
class ZoneHints final : public sdk::Hints<> {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  bool of_claim(const Call& call, const berth_claim& claim) const;

  sdk::Strings strings_;
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{*this, "pod.claim_owners"};
};

}  // namespace berth::plugins
