#pragma once

// Hints: pods that a constraint counts, and nodes that have the keys of all constraints. By the
// rule SpreadNominated, pods that are nominated to a node count as those that have one. Source:
// kube-scheduler podtopologyspread/plugin.go, isSchedulableAfterPodChange and
// isSchedulableAfterNodeChange.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/rules.hpp"
#include "plugins/pod_topology_spread/constraints.h"

namespace berth::plugins {

struct SpreadHintState {
  struct Constraint {
    sdk::Slot<uint8_t> matches;  // event.matches:TERM, of the event's pod
    sdk::Slot<uint32_t> domain;  // node.domain:KEY, of the event's node; 0: it lacks the key
  };
  std::vector<Constraint> all;  // the hard ones
  bool honours_taints = false;  // one of them does
  bool malformed = false;       // a selector is; then every event may help
};

class SpreadHints final : public sdk::Hints<SpreadHintState> {
 public:
  explicit SpreadHints(const SpreadArgs& args) : reader_(*this, args) {}

  void init(sdk::Host host) override {
    reader_.init(host);
    nominated_ = sdk::Rules(host).holds("SpreadNominated");
  }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               SpreadHintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  // True if the event's pod takes no part: it has no node, and is not the refused pod.
  bool concerns_nobody(const sdk::Event& event) const {
    return !event.self() && event.node() == 0 && !(nominated_ && event.nominated_node() != 0);
  }
  // Each answers whether the event may help.
  bool after_pod(const SpreadHintState& state, const sdk::Event& event) const;
  bool after_node(const SpreadHintState& state, const sdk::Event& event) const;

  ConstraintReader reader_;
  sdk::Input<uint32_t> taints_{*this, "node.taints"};
  sdk::Family domains_{*this, "node.domain:*"};
  sdk::Family matches_{*this, "event.matches:*"};
  bool nominated_ = false;  // the rule
};

}  // namespace berth::plugins
