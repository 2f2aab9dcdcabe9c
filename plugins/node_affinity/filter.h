#pragma once

// PreFilter and Filter: the node selector and required node affinity, of the pod and of the
// configuration. Source: kube-scheduler nodeaffinity/node_affinity.go, PreFilter and Filter.

#include <array>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_affinity/args.h"

namespace berth::plugins {

struct NamedNodes {
  // String ids of pod.affinity_node_names; means nothing unless every term names nodes.
  std::vector<uint32_t> names;
};

// Narrows the search to the named nodes if every term of the affinity names nodes; refuses the pod
// for good if no term leaves a name. Skips, and the filter with it, if neither the
// pod nor the configuration restricts nodes.
class AffinityPreFilter final : public sdk::PreFilter<NamedNodes> {
 public:
  explicit AffinityPreFilter(const AffinityArgs& args) : args_(args) {}

  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, NamedNodes& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  const AffinityArgs& args_;
  sdk::Input<uint8_t> has_node_selector_{*this, "pod.has_node_selector"};
  sdk::Input<uint32_t> affinity_{*this, "pod.affinity"};
  sdk::Input<uint32_t> terms_{*this, "pod.affinity_terms"};
  sdk::Input<uint8_t> names_nodes_{*this, "pod.affinity_names_nodes"};
  sdk::ListInput<uint32_t> node_names_{*this, "pod.affinity_node_names"};
  sdk::Reason conflict_{*this, "pod affinity terms conflict"};
};

// Match columns (node.matches:SELECTOR) that a node must have 1 in: of the configuration's
// selector, of spec.nodeSelector and of the required affinity, as far as there are any, in this
// order.
struct RequiredMatches {
  bool added = false;                       // the first column is the selector of the configuration
  std::vector<sdk::Slot<uint8_t>> columns;  // a node must match all of them
};

// Refuses nodes that do not match, as UNSCHEDULABLE_AND_UNRESOLVABLE: evictions change no labels.
class AffinityFilter final : public sdk::Filter<RequiredMatches> {
 public:
  explicit AffinityFilter(const AffinityArgs& args) : args_(args) {}

  void init(sdk::Host host) override { selectors_ = sdk::Selectors(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               RequiredMatches& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;

 private:
  const AffinityArgs& args_;
  sdk::Selectors selectors_;
  sdk::Input<uint32_t> node_selector_{*this, "pod.node_selector"};
  sdk::Input<uint32_t> affinity_{*this, "pod.affinity"};
  sdk::Family matches_{*this, "node.matches:*"};
  sdk::Reason enforced_{*this, "node(s) didn't match scheduler-enforced node affinity"};
  sdk::Reason pod_{*this, "node(s) didn't match Pod's node affinity/selector"};
};

}  // namespace berth::plugins
