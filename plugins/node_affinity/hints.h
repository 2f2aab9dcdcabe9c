#pragma once

// Hints: a node that is new or has other labels may match now. Source: kube-scheduler
// nodeaffinity/node_affinity.go, isSchedulableAfterNodeChange.

#include <optional>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_affinity/args.h"

namespace berth::plugins {

// Match columns of the event's node, before and after; none where there is no selector.
struct MatchColumns {
  std::optional<sdk::Slot<uint8_t>> added;     // the selector of the configuration
  std::optional<sdk::Slot<uint8_t>> selector;  // spec.nodeSelector
  std::optional<sdk::Slot<uint8_t>> affinity;  // the required node affinity
  bool malformed = false;                      // a term of the affinity cannot be parsed
};

// Asked about nodes that are added and changes of labels. A malformed affinity is tried again
// whenever the node matches the other selectors.
class AffinityHints final : public sdk::Hints<MatchColumns> {
 public:
  explicit AffinityHints(const AffinityArgs& args) : args_(args) {}

  void init(sdk::Host host) override { selectors_ = sdk::Selectors(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, MatchColumns& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  // True if a term of the selector cannot be parsed.
  bool malformed(uint32_t selector) const;

  const AffinityArgs& args_;
  sdk::Selectors selectors_;
  sdk::Input<uint32_t> node_selector_{*this, "pod.node_selector"};
  sdk::Input<uint32_t> affinity_{*this, "pod.affinity"};
  sdk::Family matches_{*this, "node.matches:*"};
};

}  // namespace berth::plugins
