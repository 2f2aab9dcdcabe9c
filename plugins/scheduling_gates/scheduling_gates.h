#pragma once

// Keeps a pod out of the queue while it has scheduling gates (kube-scheduler v1.34.1,
// plugins/schedulinggates).

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// Refuses a pod with gates as UNSCHEDULABLE_AND_UNRESOLVABLE, which keeps it gated.
class GatesPreEnqueue final : public sdk::PreEnqueue {
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

// The pod's last gate was removed.
class GatesHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override {
    const bool pods = kind == BERTH_ON_POD_ASSIGNED || kind == BERTH_ON_POD_PENDING;
    return pods ? BERTH_DID_UPDATE_GATES : 0;
  }
  bool hint(const Call&, const sdk::Event& event) const override { return event.self(); }
};

using SchedulingGates = sdk::Hooks<GatesPreEnqueue, GatesHints>;

}  // namespace berth::plugins
