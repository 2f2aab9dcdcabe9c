#include "plugins/inter_pod_affinity/hints.h"

#include <algorithm>

namespace berth::plugins {
namespace {

using Term = AffinityHintState::Term;

// kube-scheduler's rule for affinity and anti-affinity alike; no terms match no pod.
bool match_all(const std::vector<Term>& terms, const sdk::Columns& pod) {
  return !terms.empty() && std::all_of(terms.begin(), terms.end(),
                                       [&](const Term& term) { return pod[term.matches][0] != 0; });
}

// True if a node has a key in `to` and another value of it, or none, in `from`.
bool enters_domain(const std::vector<Term>& terms, const sdk::Columns& from,
                   const sdk::Columns& to) {
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    const uint32_t domain = to[term.domain][0];
    return domain != 0 && domain != from[term.domain][0];
  });
}

// A new node may be the only one in its domain, or have none, so that no anti-affinity refuses it.
bool after_node(const AffinityHintState& state, const sdk::Event& event) {
  if (!event.added())
    return enters_domain(state.wanted, event.before(), event.after()) ||
           enters_domain(state.shunned, event.after(), event.before());
  return !state.shunned.empty() ||
         std::any_of(state.wanted.begin(), state.wanted.end(),
                     [&](const Term& term) { return event.after()[term.domain][0] != 0; });
}

}  // namespace

void AffinityHints::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  const sdk::Rules rules(host);
  own_labels_ = rules.holds("AffinityOwnLabels");
  nominated_ = rules.holds("AffinityNominated");
  if (rules.holds("AffinityBothWays")) shuns_.emplace(*this, "event.anti_affinity_matches");
}

uint32_t AffinityHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0
                                        : BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL | BERTH_DID_DELETE;
}

std::vector<Term> AffinityHints::read(sdk::Preparation& prepared, std::span<const uint32_t> terms,
                                      std::span<const uint32_t> keys) const {
  std::vector<Term> read;
  for (size_t i = 0; i < terms.size(); ++i)
    read.push_back({prepared.add<uint8_t>(sdk::concat("event.matches:", terms[i])),
                    prepared.add<uint32_t>(sdk::concat("node.domain:", strings_.text(keys[i])))});
  return read;
}

void AffinityHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            AffinityHintState& state) {
  if (shuns_) prepared.keep(*shuns_, problem_);
  state.malformed = pod.one(problem_) != 0;
  state.wanted = read(prepared, pod.one(affinity_terms_), pod.one(affinity_keys_));
  state.shunned = read(prepared, pod.one(anti_terms_), pod.one(anti_keys_));
}

bool AffinityHints::hint(const Call& call, const sdk::Event& event) const {
  const AffinityHintState& state = call.state();
  if (event.on_node()) return state.malformed || after_node(state, event);
  const bool updated = !event.added() && !event.deleted();
  if (own_labels_ && event.self() && updated) return true;
  return !concerns_nobody(event) && (state.malformed || after_pod(state, event));
}

bool AffinityHints::after_pod(const AffinityHintState& state, const sdk::Event& event) const {
  if (event.added()) return match_all(state.wanted, event.after());
  if (event.deleted()) return match_all(state.shunned, event.before()) || was_shunned(event);
  const auto begins = [&](const std::vector<Term>& terms, const sdk::Columns& from,
                          const sdk::Columns& to) {
    return !match_all(terms, from) && match_all(terms, to);
  };
  return begins(state.wanted, event.before(), event.after()) ||
         begins(state.shunned, event.after(), event.before());
}

bool AffinityHints::was_shunned(const sdk::Event& event) const {
  return shuns_ && (event.before().one(*shuns_) != 0 || event.before().one(problem_) != 0);
}

}  // namespace berth::plugins
