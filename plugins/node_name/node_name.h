#pragma once

// A pod with spec.nodeName fits only that node (kube-scheduler v1.34.1, plugins/nodename).

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

struct NodeNameState {
  uint32_t wanted = 0;  // string id of the node's name; 0: any node
};

// Refuses as UNSCHEDULABLE_AND_UNRESOLVABLE: an eviction renames no node.
class NodeNameFilter final : public sdk::Filter<NodeNameState> {
 public:
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, NodeNameState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  sdk::Input<uint32_t> pod_node_name_{*this, "pod.node_name"};
  sdk::Input<uint32_t> node_name_{*this, "node.name"};
  sdk::Reason other_node_{*this, "node(s) didn't match the requested node name"};
};

// A new node may be the named one.
class NodeNameHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override {
    return kind == BERTH_ON_NODE ? BERTH_DID_ADD : 0;
  }
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

using NodeName = sdk::HooksBy<BERTH_PART_NODE_NAME, NodeNameFilter, NodeNameHints>;

}  // namespace berth::plugins
