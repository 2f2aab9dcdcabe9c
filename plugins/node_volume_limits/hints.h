#pragma once

// Which events may help pods that NodeVolumeLimits refused (kube-scheduler v1.34.1,
// plugins/nodevolumelimits).

#include "plugins/node_volume_limits/node_volume_limits.h"

namespace berth::plugins {

// A new CSINode, or a higher limit of one; the end of a pod with a volume that a driver attaches; a
// new claim of the pod; the end of an attachment that may be of a volume of the pod.
class LimitsHints final : public sdk::Hints<> {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  bool may_be_attached_by(const Call& call, uint32_t driver) const;

  sdk::Strings strings_;
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{*this, "pod.claim_owners"};
  sdk::ListInput<uint64_t> inline_{*this, "pod.inline_volumes"};
};

}  // namespace berth::plugins
