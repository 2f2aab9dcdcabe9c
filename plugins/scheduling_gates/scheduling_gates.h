#pragma once

// Keeps a pod out of the queue while it has scheduling gates (kube-scheduler v1.34.1,
// plugins/schedulinggates).

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

class SchedulingGates final : public sdk::PreEnqueue {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void check(const Call& call, std::span<uint8_t> codes,
             std::span<uint32_t> reasons) const override;
  // The only reason; its text names the remaining gates.
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  sdk::Strings strings_;
  sdk::ListInput<uint32_t> gates_{*this, "pod.scheduling_gates"};
};

}  // namespace berth::plugins
