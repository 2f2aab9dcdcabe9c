#pragma once

// PreFilter and Filter: required affinity and anti-affinity of the pod, and required anti-affinity
// of placed pods (kube-scheduler v1.34.1, plugins/interpodaffinity/filtering.go).

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/inter_pod_affinity/carried.h"

namespace berth::plugins {

// Tells whether the filter has anything to do for the template's pods.
struct HasTerms {
  bool own = false;                          // the pod has required terms
  std::vector<sdk::Slot<int64_t>> carriers;  // none or one: matching terms that placed pods carry
  uint32_t problem = 0;                      // string id of a malformed term's error; 0: none
};

// Refuses a pod with a malformed term for good. Skips, and the filter with it, if the pod has no
// required terms and no placed pod carries anti-affinity that matches it.
class AffinityPreFilter final : public sdk::PreFilter<HasTerms> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, HasTerms& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  static constexpr uint32_t kMalformed = 1;  // the reason

  sdk::Strings strings_;
  sdk::Counts counts_;
  Carried anti_affinity_;
  sdk::Input<uint32_t> problem_{*this, "pod.pod_affinity_problem"};
  sdk::ListInput<uint32_t> affinity_{*this, "pod.pod_affinity_terms"};
  sdk::ListInput<uint32_t> anti_affinity_terms_{*this, "pod.pod_anti_affinity_terms"};
  sdk::Family carriers_{*this, "carriers:*"};
};

// Count columns of the terms; a position is a node, and the value counts pods in the node's domain.
struct RequiredTerms {
  struct Wanted {  // a key of the affinity, and the pods that match all terms
    uint32_t key;  // string id
    sdk::Slot<uint8_t> has_label;
    sdk::Slot<int64_t> counts;
  };
  struct Shunned {  // a term of the anti-affinity
    uint32_t key;   // string id
    uint32_t term;
  };
  std::vector<uint32_t> wanted_terms;  // all terms of the affinity
  std::vector<Wanted> wanted;
  // Number of matching pods per key. Only filled if the pod matches all terms of its own affinity.
  std::vector<sdk::Slot<int64_t>> totals;
  bool self = false;                         // the pod matches all terms of its own affinity
  std::vector<sdk::Slot<int64_t>> shunned;   // pods that match one term of the anti-affinity
  std::vector<Shunned> shunned_terms;        // in step
  std::vector<sdk::Slot<int64_t>> shunning;  // placed pods' anti-affinity that matches the pod
};

// Checks the affinity, the anti-affinity and placed pods' anti-affinity, in this order; the first
// that refuses gives the reason. The affinity refuses as UNSCHEDULABLE_AND_UNRESOLVABLE, the others
// as UNSCHEDULABLE. Fails if the PreFilter hook did not run for the pod.
class AffinityFilter final : public sdk::Filter<RequiredTerms> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, RequiredTerms& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  // An item for each key of the affinity that is not satisfied, for each term of the anti-affinity
  // that pods match, and for the pods whose anti-affinity matches the pod.
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  void add_affinity(const sdk::Template& pod, sdk::Preparation& prepared, RequiredTerms& state);
  // Writes `found` where one of the counts is positive in the node's domain, over earlier verdicts.
  static void refuse_where(const Call& call, const std::vector<sdk::Slot<int64_t>>& counts,
                           uint8_t found, std::span<uint8_t> verdicts);
  // The number of pods that match the affinity, and that a domain needs: 0 for the first pod of a
  // group, else 1.
  static int64_t least(const Call& call);
  // Refuses nodes where the pod's affinity is not satisfied.
  static void refuse_elsewhere(const Call& call, std::span<uint8_t> verdicts);

  sdk::Strings strings_;
  sdk::Counts counts_;
  Carried carried_;
  sdk::ListInput<uint32_t> affinity_terms_{*this, "pod.pod_affinity_terms"};
  sdk::ListInput<uint32_t> affinity_keys_{*this, "pod.pod_affinity_keys"};
  sdk::ListInput<uint8_t> affinity_self_{*this, "pod.pod_affinity_self"};
  sdk::ListInput<uint32_t> anti_terms_{*this, "pod.pod_anti_affinity_terms"};
  sdk::ListInput<uint32_t> anti_keys_{*this, "pod.pod_anti_affinity_keys"};
  sdk::Family has_label_{*this, "node.has_label:*"};
  sdk::Family node_counts_{*this, "node.count:*"};
  sdk::Family totals_{*this, "count_total:*"};
  sdk::Family node_carried_{*this, "node.carried:*"};
  sdk::Reason affinity_{*this, "node(s) didn't match pod affinity rules"};
  sdk::Reason anti_affinity_{*this, "node(s) didn't match pod anti-affinity rules"};
  sdk::Reason existing_{*this, "node(s) didn't satisfy existing pods anti-affinity rules"};
};

}  // namespace berth::plugins
