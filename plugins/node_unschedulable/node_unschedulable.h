#pragma once

// A cordoned node fits only pods that tolerate the taint
// node.kubernetes.io/unschedulable:NoSchedule, whether or not the node has the taint
// (kube-scheduler v1.34.1, plugins/nodeunschedulable).

#include "berth/sdk/kubernetes/tolerations.hpp"
#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

struct NodeUnschedulableState {
  bool tolerated = false;  // the pod tolerates the cordon, and every node passes
};

// The taint of cordoned nodes. Make it at init.
struct CordonTaint {
  CordonTaint() = default;
  explicit CordonTaint(const sdk::Strings& strings);
  // True if a toleration of the pod tolerates the taint, by key, operator, value and effect.
  bool tolerated_by(const sdk::Columns& pod, const sdk::TolerationInputs& inputs) const {
    return sdk::Tolerations(pod, inputs, words).tolerate(taint);
  }

  sdk::TaintWords words;  // string ids of effects and operators
  sdk::Taint taint;
};

// Refuses as UNSCHEDULABLE_AND_UNRESOLVABLE: an eviction does not lift the cordon.
class NodeUnschedulableFilter final : public sdk::Filter<NodeUnschedulableState> {
 public:
  void init(sdk::Host host) override { cordon_ = CordonTaint(sdk::Strings(host)); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               NodeUnschedulableState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  CordonTaint cordon_;
  sdk::TolerationInputs tolerations_{*this};
  sdk::Input<uint8_t> unschedulable_{*this, "node.unschedulable"};
  sdk::Reason cordoned_{*this, "node(s) were unschedulable"};
};

// A node that is added without the cordon or loses it; a toleration of the cordon for the pod.
class NodeUnschedulableHints final : public sdk::Hints<> {
 public:
  void init(sdk::Host host) override { cordon_ = CordonTaint(sdk::Strings(host)); }
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  CordonTaint cordon_;
  sdk::TolerationInputs tolerations_{*this};
  sdk::Input<uint8_t> unschedulable_{*this, "node.unschedulable"};
};

using NodeUnschedulable =
    sdk::HooksBy<BERTH_PART_TOLERATIONS, NodeUnschedulableFilter, NodeUnschedulableHints>;

}  // namespace berth::plugins
