#pragma once

// A cordoned node takes only pods that tolerate the taint
// node.kubernetes.io/unschedulable:NoSchedule, whether it has that taint or not.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/tolerations.hpp"

namespace berth::plugins {

struct NodeUnschedulableState {
  bool tolerated = false;
};

class NodeUnschedulableFilter final : public sdk::Filter<NodeUnschedulableState> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               NodeUnschedulableState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  sdk::TaintWords words_;
  sdk::Taint taint_;
  sdk::TolerationInputs tolerations_{*this};
  sdk::Input<uint8_t> unschedulable_{*this, "node.unschedulable"};
  sdk::Reason cordoned_{*this, "node(s) were unschedulable"};
};

}  // namespace berth::plugins
