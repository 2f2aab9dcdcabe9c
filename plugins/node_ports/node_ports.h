#pragma once

// Refuses nodes where a host port of the pod is in use (kube-scheduler v1.34.1, plugins/nodeports).
// abi/columns.md describes how ports are packed.

#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

class PortsPreFilter final : public sdk::PreFilter<> {
 public:
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  sdk::ListInput<uint64_t> wanted_{*this, "pod.ports"};
};

struct PortsState {
  std::vector<uint64_t> wanted;
};

class PortsFilter final : public sdk::Filter<PortsState> {
 public:
  void init(sdk::Host host) override { any_address_ = sdk::Strings(host).intern("0.0.0.0"); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, PortsState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  bool conflict(uint64_t a, uint64_t b) const;

  uint64_t any_address_ = 0;
  sdk::ListInput<uint64_t> wanted_{*this, "pod.ports"};
  sdk::ListInput<uint64_t> used_{*this, "node.ports"};
  sdk::Reason taken_{*this, "node(s) didn't have free ports for the requested pod ports"};
};

using NodePorts = sdk::Hooks<PortsPreFilter, PortsFilter>;

}  // namespace berth::plugins
