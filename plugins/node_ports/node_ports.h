#pragma once

// Refuses nodes where a host port of the pod is in use (kube-scheduler v1.34.1, plugins/nodeports).
// abi/columns.md describes how ports are packed.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

// The rule which ports exclude each other: equal port and protocol, and addresses that are equal or
// of which one is 0.0.0.0. Source: kube-scheduler framework/types.go, HostPortInfo. Make it at
// init.
class PortConflicts {
 public:
  PortConflicts() = default;
  explicit PortConflicts(sdk::Host host) : any_address_(sdk::Strings(host).intern("0.0.0.0")) {}
  // True if a port of `some` excludes a port of `others`; both packed.
  bool between(std::span<const uint64_t> some, std::span<const uint64_t> others) const;
  bool between(uint64_t a, uint64_t b) const;

 private:
  uint64_t any_address_ = 0;  // string id
};

// Skips the filter for pods without host ports.
class PortsPreFilter final : public sdk::PreFilter<> {
 public:
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  sdk::ListInput<uint64_t> wanted_{*this, "pod.ports"};
};

struct PortsState {
  std::vector<uint64_t> wanted;  // the pod's host ports, packed
};

// Refuses as UNSCHEDULABLE: an eviction may free the port. Fails if PreFilter did not run for the
// pod.
class PortsFilter final : public sdk::Filter<PortsState> {
 public:
  void init(sdk::Host host) override {
    conflicts_ = PortConflicts(host);
    strings_ = sdk::Strings(host);
  }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, PortsState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  // An item for each port in use that excludes a port of the pod.
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  std::string text(uint64_t port) const;  // "0.0.0.0:TCP:80"

  PortConflicts conflicts_;
  sdk::Strings strings_;
  sdk::ListInput<uint64_t> wanted_{*this, "pod.ports"};
  sdk::ListInput<uint64_t> used_{*this, "node.ports"};
  sdk::Reason taken_{*this, "node(s) didn't have free ports for the requested pod ports"};
};

// A new node; the end of a pod that has, or is nominated to, a node and uses a wanted port.
class PortsHints final : public sdk::Hints<PortsState> {
 public:
  void init(sdk::Host host) override { conflicts_ = PortConflicts(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, PortsState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  PortConflicts conflicts_;
  sdk::ListInput<uint64_t> ports_{*this, "pod.ports"};
};

using NodePorts = sdk::HooksBy<BERTH_PART_HOST_PORTS, PortsPreFilter, PortsFilter, PortsHints>;

}  // namespace berth::plugins
