#pragma once

// The hard half: pods that must be where others are, and pods that must not, whichever of the two
// says so.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/inter_pod_affinity/carried.h"

namespace berth::plugins {

struct HasTerms {
  bool own = false;                          // the pod has required terms
  std::vector<sdk::Slot<int64_t>> carriers;  // none or one: matching terms that placed pods carry
  uint32_t problem = 0;                      // string id
};

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

struct RequiredTerms {
  struct Wanted {  // pods that match all terms of the affinity, by one of their keys
    sdk::Slot<uint8_t> has_label;
    sdk::Slot<int64_t> counts;
  };
  std::vector<Wanted> wanted;
  // How many of them there are by each key; only where the pod matches all terms of its
  // own affinity.
  std::vector<sdk::Slot<int64_t>> totals;
  bool self = false;
  std::vector<sdk::Slot<int64_t>> shunned;   // pods that one term of the anti-affinity matches
  std::vector<sdk::Slot<int64_t>> shunning;  // anti-affinity of placed pods that matches the pod
};

class AffinityFilter final : public sdk::Filter<RequiredTerms> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, RequiredTerms& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;

 private:
  void add_affinity(const sdk::Template& pod, sdk::Preparation& prepared, RequiredTerms& state);
  // Over verdicts that stand there, `found` where one of these is in the node's domain.
  static void refuse_where(const Call& call, const std::vector<sdk::Slot<int64_t>>& counts,
                           uint8_t found, std::span<uint8_t> verdicts);
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
