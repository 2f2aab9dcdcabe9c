#include "plugins/inter_pod_affinity/filter.h"

#include <algorithm>

namespace berth::plugins {

void AffinityPreFilter::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  counts_ = sdk::Counts(host);
  anti_affinity_.init(*this, counts_, "pod.pod_anti_affinity_terms", 1);
}

void AffinityPreFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                                HasTerms& state) {
  state.problem = pod.one(problem_);
  state.own = !pod.one(affinity_).empty() || !pod.one(anti_affinity_terms_).empty();
  if (const uint32_t set = anti_affinity_.match_set(pod); set != 0)
    state.carriers.push_back(prepared.add<int64_t>(counts_.carriers(set)));
}

void AffinityPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  const HasTerms& state = call.state();
  if (state.problem != 0) return result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, kMalformed);
  if (state.own) return;
  for (const auto carriers : state.carriers)
    if (call[carriers][0] != 0) return;
  result.skip();
}

void AffinityPreFilter::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  sink.write(sdk::concat("parsing pod: ", strings_.text(call.state().problem)));
}

void AffinityFilter::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  counts_ = sdk::Counts(host);
  carried_.init(*this, counts_, "pod.pod_anti_affinity_terms", 1);
}

// A pod counts only if it matches all terms of the required affinity, whatever their keys. So one
// query per key is enough.
void AffinityFilter::add_affinity(const sdk::Template& pod, sdk::Preparation& prepared,
                                  RequiredTerms& state) {
  const auto terms = pod.one(affinity_terms_);
  const auto self = pod.one(affinity_self_);
  state.self = std::all_of(self.begin(), self.end(), [](uint8_t matches) { return matches != 0; });
  state.wanted_terms.assign(terms.begin(), terms.end());
  std::vector<uint32_t> keys;
  sdk::CountQuery wanted{.terms = {terms.begin(), terms.end()}};
  for (const uint32_t key : pod.one(affinity_keys_)) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    keys.push_back(key);
    wanted.key = key;
    const uint32_t query = counts_.query(wanted);
    state.wanted.push_back(
        {key, prepared.add<uint8_t>(sdk::concat("node.has_label:", strings_.text(key))),
         prepared.add<int64_t>(counts_.node_counts(query))});
    if (state.self) state.totals.push_back(prepared.add<int64_t>(counts_.total(query)));
  }
}

void AffinityFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             RequiredTerms& state) {
  add_affinity(pod, prepared, state);
  const auto terms = pod.one(anti_terms_);
  const auto keys = pod.one(anti_keys_);
  for (size_t i = 0; i < terms.size(); ++i) {
    const uint32_t query = counts_.query({.key = keys[i], .terms = {terms[i]}});
    state.shunned.push_back(prepared.add<int64_t>(counts_.node_counts(query)));
    state.shunned_terms.push_back({keys[i], terms[i]});
  }
  if (const uint32_t set = carried_.match_set(pod); set != 0)
    state.shunning.push_back(prepared.add<int64_t>(counts_.node_carried(set)));
}

// A node needs every key, and a matching pod in each of its domains. Exception: if no pod in the
// cluster matches, a pod that matches its own terms is the first of its group and fits every node
// that has the keys.
int64_t AffinityFilter::least(const Call& call) {
  const RequiredTerms& state = call.state();
  const bool first =
      state.self && std::all_of(state.totals.begin(), state.totals.end(),
                                [&](sdk::Slot<int64_t> total) { return call[total][0] == 0; });
  return first ? 0 : 1;
}

void AffinityFilter::refuse_elsewhere(const Call& call, std::span<uint8_t> verdicts) {
  const RequiredTerms& state = call.state();
  const int64_t fewest = least(call);
  for (const RequiredTerms::Wanted& wanted : state.wanted) {
    const uint8_t* has_label = call[wanted.has_label].data();
    const int64_t* counts = call[wanted.counts].data();
    for (size_t i = 0; i < verdicts.size(); ++i)
      if (has_label[i] == 0 || counts[i] < fewest)
        verdicts[i] = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
  }
}

void AffinityFilter::refuse_where(const Call& call, const std::vector<sdk::Slot<int64_t>>& counts,
                                  uint8_t found, std::span<uint8_t> verdicts) {
  for (const sdk::Slot<int64_t> slot : counts) {
    const int64_t* count = call[slot].data();
    for (size_t i = 0; i < verdicts.size(); ++i)
      if (verdicts[i] == BERTH_SUCCESS && count[i] > 0) verdicts[i] = found;
  }
}

void AffinityFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  if (!call.ran_pre_filter())
    throw sdk::Failure("error reading \"PreFilterInterPodAffinity\" from cycleState: not found");
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  refuse_elsewhere(call, verdicts);
  refuse_where(call, call.state().shunned, BERTH_UNSCHEDULABLE, verdicts);
  refuse_where(call, call.state().shunning, BERTH_UNSCHEDULABLE, verdicts);
}

void AffinityFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  constexpr uint8_t kShunning = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE + 1;
  std::vector<uint8_t> verdicts(reasons.size(), BERTH_SUCCESS);
  refuse_elsewhere(call, verdicts);
  refuse_where(call, call.state().shunned, BERTH_UNSCHEDULABLE, verdicts);
  refuse_where(call, call.state().shunning, kShunning, verdicts);
  for (size_t i = 0; i < reasons.size(); ++i)
    reasons[i] = verdicts[i] == BERTH_UNSCHEDULABLE ? anti_affinity_
                 : verdicts[i] == kShunning         ? existing_
                                                    : affinity_;
}

void AffinityFilter::numbers(const Call& call, sdk::Numbers& numbers) const {
  const RequiredTerms& state = call.state();
  for (const RequiredTerms::Wanted& wanted : state.wanted) {
    const bool labelled = call[wanted.has_label][0] != 0;
    const int64_t count = call[wanted.counts][0];
    if (labelled && count >= least(call)) continue;
    numbers.item(sdk::concat("podAffinity by ", strings_.text(wanted.key)));
    for (const uint32_t term : state.wanted_terms) numbers.term("selector", term);
    if (!labelled) numbers.text("label", "absent");
    numbers.number("matching", count);
  }
  for (size_t i = 0; i < state.shunned.size(); ++i) {
    const int64_t count = call[state.shunned[i]][0];
    if (count <= 0) continue;
    const RequiredTerms::Shunned& term = state.shunned_terms[i];
    numbers.item(sdk::concat("podAntiAffinity by ", strings_.text(term.key)))
        .term("selector", term.term)
        .number("matching", count)
        .pods("pods", state.shunned[i]);
  }
  for (const sdk::Slot<int64_t> shunning : state.shunning)
    if (call[shunning][0] > 0)
      numbers.item("podAntiAffinity of placed pods").pods("pods", shunning);
}

}  // namespace berth::plugins
