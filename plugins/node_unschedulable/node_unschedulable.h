#pragma once

// A cordoned node fits only pods that tolerate the taint
// node.kubernetes.io/unschedulable:NoSchedule, whether or not the node has the taint
// (kube-scheduler v1.34.1, plugins/nodeunschedulable).

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
