#pragma once

// Hints: a node that is new or has other labels may match now.

#include <optional>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_affinity/args.h"

namespace berth::plugins {

struct MatchColumns {
  std::optional<sdk::Slot<uint8_t>> added;  // the selector of the configuration
  std::optional<sdk::Slot<uint8_t>> selector;
  std::optional<sdk::Slot<uint8_t>> affinity;
  bool malformed = false;  // a term of the affinity cannot be parsed
};

class AffinityHints final : public sdk::Hints<MatchColumns> {
 public:
  explicit AffinityHints(const AffinityArgs& args) : args_(args) {}

  void init(sdk::Host host) override { selectors_ = sdk::Selectors(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, MatchColumns& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  bool malformed(uint32_t selector) const;

  const AffinityArgs& args_;
  sdk::Selectors selectors_;
  sdk::Input<uint32_t> node_selector_{*this, "pod.node_selector"};
  sdk::Input<uint32_t> affinity_{*this, "pod.affinity"};
  sdk::Family matches_{*this, "node.matches:*"};
};

}  // namespace berth::plugins
