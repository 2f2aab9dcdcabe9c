#pragma once

// PreFilter and Filter: after adding the pod, no domain may have more than maxSkew matching pods
// above the domain with the fewest. Source: kube-scheduler podtopologyspread/filtering.go.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/pod_topology_spread/constraints.h"

namespace berth::plugins {

struct HasConstraints {
  bool any = false;  // hard ones, of the pod or by default
};

// Skips the filter for pods without hard constraints. Fails pods with a malformed selector.
class SpreadPreFilter final : public sdk::PreFilter<HasConstraints> {
 public:
  explicit SpreadPreFilter(const SpreadArgs& args) : reader_(*this, args) {}

  void init(sdk::Host host) override { reader_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               HasConstraints& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  ConstraintReader reader_;
};

// A constraint with whenUnsatisfiable DoNotSchedule: the columns of its query, and its numbers.
struct HardConstraint {
  uint32_t key;                  // string id
  uint32_t term;                 // the pods to spread
  sdk::Slot<uint8_t> has_label;  // of the topology key, per node
  sdk::Slot<int64_t> counts;     // per node, in its domain
  sdk::Slot<int64_t> minimum;    // one position: matching pods in the domain with the fewest
  sdk::Slot<int64_t> domains;    // one position: domains with a node that takes part
  int64_t max_skew;
  int64_t min_domains;
  int64_t self;  // 1: the pod matches its own selector
};

struct HardConstraints {
  std::vector<HardConstraint> all;  // in the pod's order: the first that refuses gives the reason
};

// Refuses a node without a key as UNSCHEDULABLE_AND_UNRESOLVABLE, and one whose domain is too full
// as UNSCHEDULABLE. Fails if the PreFilter hook did not run for the pod.
class SpreadFilter final : public sdk::Filter<HardConstraints> {
 public:
  explicit SpreadFilter(const SpreadArgs& args) : reader_(*this, args) {}

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               HardConstraints& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  // An item for each constraint, satisfied or not.
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  ConstraintReader reader_;
  sdk::Strings strings_;
  sdk::Counts counts_;
  sdk::Family has_label_{*this, "node.has_label:*"};
  sdk::Family node_counts_{*this, "node.count:*"};
  sdk::Family minima_{*this, "count_minimum:*"};
  sdk::Family domains_{*this, "count_domains:*"};
  sdk::Reason skewed_{*this, "node(s) didn't match pod topology spread constraints"};
  sdk::Reason unlabelled_{
      *this, "node(s) didn't match pod topology spread constraints (missing required label)"};
};

}  // namespace berth::plugins
