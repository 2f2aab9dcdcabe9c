#include "plugins/inter_pod_affinity/score.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

BERTH_SDK_VECTORISE
void add(const int64_t* counts, int64_t weight, int64_t* raw, size_t size) {
  for (size_t i = 0; i < size; ++i) raw[i] += weight * counts[i];
}

}  // namespace

void PreferredTerms::init(sdk::Host host) {
  counts_ = sdk::Counts(host);
  carried_[0].init(hook_, counts_, "pod.preferred_pod_affinity_terms", 1);
  carried_[1].init(hook_, counts_, "pod.preferred_pod_anti_affinity_terms", -1);
  if (args_.hard_pod_affinity_weight > 0)
    carried_[2].init(hook_, counts_, "pod.pod_affinity_terms", args_.hard_pod_affinity_weight);
}

bool PreferredTerms::scored(const sdk::Template& pod) const {
  return !args_.ignore_preferred_terms_of_existing_pods || !pod.one(affinity_.terms).empty() ||
         !pod.one(anti_affinity_.terms).empty();
}

template <class Visit>
void PreferredTerms::for_each_own(const sdk::Template& pod, Visit&& visit) const {
  const auto each = [&](const PreferredInputs& half, int64_t sign) {
    const auto terms = pod.one(half.terms);
    const auto keys = pod.one(half.keys);
    const auto weights = pod.one(half.weights);
    for (size_t i = 0; i < terms.size(); ++i) visit(keys[i], terms[i], sign * weights[i]);
  };
  each(affinity_, 1);
  each(anti_affinity_, -1);
}

void AffinityPreScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                               AnyMatch& state) {
  state.scored = terms_.scored(pod);
  if (!state.scored) return;
  const sdk::Counts& counts = terms_.counts();
  terms_.for_each_own(pod, [&](uint32_t key, uint32_t term, int64_t) {
    state.totals.push_back(prepared.add<int64_t>(counts.total(terms_.query(key, term))));
  });
  terms_.for_each_carried(pod, [&](uint32_t set) {
    state.totals.push_back(prepared.add<int64_t>(counts.carriers(set)));
  });
}

void AffinityPreScore::pre_score(const Call& call, const berth_feasible*,
                                 sdk::PreScoreResult& result) const {
  const auto& totals = call.state().totals;
  const bool any = std::any_of(totals.begin(), totals.end(),
                               [&](sdk::Slot<int64_t> total) { return call[total][0] != 0; });
  if (!any) result.skip();
}

void AffinityScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            WeightedTerms& state) {
  const sdk::Counts& counts = terms_.counts();
  if (terms_.scored(pod)) {
    terms_.for_each_own(pod, [&](uint32_t key, uint32_t term, int64_t weight) {
      const uint32_t column = counts.node_counts(terms_.query(key, term));
      state.all.push_back({prepared.add<int64_t>(column), weight});
    });
    terms_.for_each_carried(pod, [&](uint32_t set) {
      state.all.push_back({prepared.add<int64_t>(counts.node_carried(set)), 1});
    });
  }
}

void AffinityScore::score(const Call& call, std::span<int64_t> raw) const {
  if (!call.ran_pre_score())
    throw sdk::Failure("failed to read \"PreScoreInterPodAffinity\" from cycleState: not found");
  std::fill(raw.begin(), raw.end(), 0);
  for (const auto& [counts, weight] : call.state().all)
    add(call[counts].data(), weight, raw.data(), raw.size());
}

}  // namespace berth::plugins
