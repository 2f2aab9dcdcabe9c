#include "plugins/inter_pod_affinity/score.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// Domain 0 is "no such label"; nothing counts there.
BERTH_SDK_VECTORISE
void add(const uint32_t* domains, const int64_t* values, int64_t weight, int64_t* raw,
         size_t count) {
  for (size_t i = 0; i < count; ++i) raw[i] += weight * values[domains[i]];
}

}  // namespace

void PreferredTerms::init(sdk::Host host) {
  counts_ = sdk::Counts(host);
  strings_ = sdk::Strings(host);
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
    state.totals.push_back(prepared.add<int64_t>(counts.summary(terms_.query(key, term))));
  });
  terms_.for_each_carried(pod, [&](uint32_t set) {
    state.totals.push_back(prepared.add<int64_t>(counts.carriers(set)));
  });
}

// The total of a query stands where the carriers of a match set do: in front.
void AffinityPreScore::pre_score(const Call& call, const berth_feasible*,
                                 sdk::PreScoreResult& result) const {
  static_assert(BERTH_COUNT_TOTAL == 0);
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
      const std::string domains = sdk::concat("node.domain:", terms_.strings().text(key));
      state.own.push_back({{prepared.add<uint32_t>(domains),
                            prepared.add<int64_t>(counts.counts(terms_.query(key, term)))},
                           weight});
    });
    terms_.for_each_carried(pod, [&](uint32_t set) {
      add_sums(prepared, counts, terms_.strings(), set, state.carried);
    });
  }
  if (state.own.empty() && state.carried.empty()) prepared.passes();
}

void AffinityScore::score(const Call& call, std::span<int64_t> raw) const {
  std::fill(raw.begin(), raw.end(), 0);
  for (const auto& [pods, weight] : call.state().own)
    add(call[pods.domains].data(), call[pods.sums].data(), weight, raw.data(), raw.size());
  for (const DomainSum& sum : call.state().carried)
    add(call[sum.domains].data(), call[sum.sums].data(), 1, raw.data(), raw.size());
}

}  // namespace berth::plugins
