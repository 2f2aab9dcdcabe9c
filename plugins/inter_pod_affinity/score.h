#pragma once

// PreScore and Score: sums of the weights of the terms, of the pod and of placed pods, that attract
// the pod to a node or repel it (kube-scheduler v1.34.1, plugins/interpodaffinity/scoring.go).

#include <array>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/inter_pod_affinity/args.h"
#include "plugins/inter_pod_affinity/carried.h"

namespace berth::plugins {

// The pod's preferred terms: columns in step; a member of the hook.
struct PreferredInputs {
  PreferredInputs(sdk::Declaration& hook, std::string_view half)
      : terms(hook, sdk::concat("pod.preferred_", half, "_terms")),
        keys(hook, sdk::concat("pod.preferred_", half, "_keys")),
        weights(hook, sdk::concat("pod.preferred_", half, "_weights")) {}

  sdk::ListInput<uint32_t> terms, keys;
  sdk::ListInput<int64_t> weights;
};

// The terms that count for scores; a member of both hooks.
class PreferredTerms {
 public:
  PreferredTerms(sdk::Declaration& hook, const InterPodAffinityArgs& args)
      : args_(args), hook_(hook) {}
  // [init] Declares the match sets.
  void init(sdk::Host host);

  // [cycle] True if pods like this one are scored at all.
  bool scored(const sdk::Template& pod) const;
  // Calls visit(key, term, weight) for each preferred term of the pod.
  template <class Visit>
  void for_each_own(const sdk::Template& pod, Visit&& visit) const;
  // Calls visit(match set) for each match set other than 0.
  template <class Visit>
  void for_each_carried(const sdk::Template& pod, Visit&& visit) const {
    for (const Carried& carried : carried_)
      if (const uint32_t set = carried.match_set(pod); set != 0) visit(set);
  }

  const sdk::Counts& counts() const { return counts_; }
  // The query (counts service) of one term by the string id of its topology key.
  uint32_t query(uint32_t key, uint32_t term) const {
    return counts_.query({.key = key, .terms = {term}});
  }

 private:
  const InterPodAffinityArgs& args_;
  sdk::Declaration& hook_;
  sdk::Counts counts_;
  std::array<Carried, 3> carried_;
  PreferredInputs affinity_{hook_, "pod_affinity"};
  PreferredInputs anti_affinity_{hook_, "pod_anti_affinity"};
};

// Tells whether a placed pod attracts or repels the template's pods at all.
struct AnyMatch {
  bool scored = false;                     // PreferredTerms::scored
  std::vector<sdk::Slot<int64_t>> totals;  // if all are 0, there is nothing to score
};

// Skips Score if no term matches, so that the nodes are not normalised for nothing.
class AffinityPreScore final : public sdk::PreScore<AnyMatch> {
 public:
  explicit AffinityPreScore(const InterPodAffinityArgs& args) : terms_(*this, args) {}

  void init(sdk::Host host) override { terms_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, AnyMatch& state) override;
  void pre_score(const Call& call, const berth_feasible*,
                 sdk::PreScoreResult& result) const override;

 private:
  PreferredTerms terms_;
  sdk::Family totals_{*this, "count_total:*"};
  sdk::Family carriers_{*this, "carriers:*"};
};

// The columns that are summed up. Carried terms have their weights in the column and weight 1 here.
struct WeightedTerms {
  struct Counted {
    sdk::Slot<int64_t> counts;  // per node, in its domain
    int64_t weight;             // negative for anti-affinity
  };
  std::vector<Counted> all;
};

// Raw scores are sums of weights and may be negative; the host normalises them between the lowest
// and the highest. Fails if PreScore did not run for the pod.
class AffinityScore final : public sdk::Score<WeightedTerms> {
 public:
  explicit AffinityScore(const InterPodAffinityArgs& args)
      : Score(BERTH_NORMALISE_MIN_MAX), terms_(*this, args) {}

  void init(sdk::Host host) override { terms_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, WeightedTerms& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  PreferredTerms terms_;
  sdk::Family node_counts_{*this, "node.count:*"};
  sdk::Family node_carried_{*this, "node.carried:*"};
};

}  // namespace berth::plugins
