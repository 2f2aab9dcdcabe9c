#pragma once

// The way of a pod's claims after its node was chosen: Reserve assumes which volume each gets,
// PreBind writes that and waits until a controller has bound them (kube-scheduler v1.34.1,
// plugins/volumebinding/binder.go).

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "plugins/volume_binding/volume_binding.h"

namespace berth::plugins {

// The decision of Reserve for a pod. It is kept until the claims are bound, or Unreserve.
struct Decided {
  NodeVolumes volumes;
  bool written = false;
};
using DecidedPods = std::unordered_map<uint64_t, Decided>;  // by pod.handle

// Assumes for the chosen node which volume is for which claim, and which claims get new volumes.
class BindingReserve final : public sdk::Reserve {
 public:
  explicit BindingReserve(DecidedPods& decided) : decided_(decided) {}
  void init(sdk::Host host) override { inputs_.init(host); }
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override;
  void unreserve(const Call& call) const noexcept override;
  bool follows_pre_filter() const override { return true; }

 private:
  DecidedPods& decided_;
  ClaimInputs inputs_{*this};
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::Input<uint64_t> pod_{*this, "pod.handle"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

// Writes what Reserve decided, and looks each second whether all of it is bound. An error of the
// look, or the end of the time, fails the pod, which is tried again.
class BindingPreBind final : public sdk::WaitingPreBind {
 public:
  explicit BindingPreBind(DecidedPods& decided) : decided_(decided) {}
  // Before the hook's table is asked for. 0: the pod fails once it has written.
  void set_timeout(std::chrono::seconds timeout) { timeout_ = timeout; }
  void init(sdk::Host host) override { inputs_.init(host); }
  std::chrono::nanoseconds wait_limit() const override { return timeout_; }
  uint32_t flags() const override {
    return BERTH_PRE_BIND_FOLLOWS_PRE_FILTER | BERTH_PRE_BIND_ON_CYCLE | BERTH_PRE_BIND_PARALLEL;
  }
  void pre_flight(const Call& call, std::span<uint8_t> codes) const override;
  void pre_bind(const Call& call, std::span<const int64_t> waited_nanoseconds,
                std::span<uint8_t> codes, std::span<int64_t> again_nanoseconds) const override;

 private:
  // Empty: it was written.
  std::string write(uint64_t pod, uint32_t node, const NodeVolumes& volumes) const;
  // `error` is empty unless the pod has to be tried again.
  struct Look {
    bool bound = false;
    std::string error;
  };
  Look look(uint32_t node, const NodeVolumes& volumes) const;
  Look look_at_volume(uint32_t node, const NodeVolumes::Binding& binding) const;
  Look look_at_claim(uint32_t node, uint64_t claim) const;
  std::string unreachable(const berth_volume& volume, uint32_t node) const;

  DecidedPods& decided_;
  std::chrono::nanoseconds timeout_{};
  ClaimInputs inputs_{*this};
  sdk::Input<uint64_t> pod_{*this, "pod.handle"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
};

}  // namespace berth::plugins
