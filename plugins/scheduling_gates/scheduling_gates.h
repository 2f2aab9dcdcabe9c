#pragma once

// A pod with scheduling gates waits outside of the queue until they are gone.

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

class SchedulingGates final : public sdk::PreEnqueue {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void check(const Call& call, std::span<uint8_t> codes,
             std::span<uint32_t> reasons) const override;
  // The one reason names the gates that are left.
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  sdk::Strings strings_;
  sdk::ListInput<uint32_t> gates_{*this, "pod.scheduling_gates"};
};

}  // namespace berth::plugins
