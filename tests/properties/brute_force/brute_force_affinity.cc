#include "tests/properties/brute_force/brute_force_affinity.h"

#include <algorithm>
#include <limits>

namespace berth::tests::brute {
namespace {

constexpr char kAffinity[] = "node(s) didn't match pod affinity rules";
constexpr char kAntiAffinity[] = "node(s) didn't match pod anti-affinity rules";
constexpr char kExisting[] = "node(s) didn't satisfy existing pods anti-affinity rules";

const model::PodAffinityTerm& term_of(const model::PodAffinityTerm& term) { return term; }
const model::PodAffinityTerm& term_of(const model::WeightedPodAffinityTerm& term) {
  return term.term;
}
int32_t weight_of(const model::PodAffinityTerm&) { return 0; }
int32_t weight_of(const model::WeightedPodAffinityTerm& term) { return term.weight; }

template <class List>
std::vector<Term> parsed(const model::Pod& pod, const List& list, const char* name,
                         std::vector<std::string>& problems) {
  std::vector<Term> made;
  for (const auto& item : list) {
    const model::PodAffinityTerm& from = term_of(item);
    std::string problem;
    Term term;
    term.selector = parse(from.label_selector, problem);
    if (problem.empty()) term.namespace_selector = parse(from.namespace_selector, problem);
    if (!problem.empty()) {
      problems.push_back(std::string(name) + ": " + problem);
      return {};
    }
    term.namespaces = {from.namespaces.begin(), from.namespaces.end()};
    if (from.namespaces.empty() && !from.namespace_selector) term.namespaces = {pod.namespace_name};
    term.key = from.topology_key;
    term.weight = weight_of(item);
    made.push_back(std::move(term));
  }
  return made;
}

template <class Counts>
void add(Counts& counts, const model::Node& node, const std::string& key, int64_t number) {
  if (const std::string* value = find(node.labels, key); value != nullptr)
    counts[{key, *value}] += number;
}

template <class Counts>
int64_t at(const Counts& counts, const std::string& key, const std::string& value) {
  auto found = counts.find({key, value});
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

bool Term::matches(const model::Pod& pod, const model::StringMap& namespace_labels) const {
  return (namespaces.contains(pod.namespace_name) ||
          namespace_selector.matches(namespace_labels)) &&
         selector.matches(pod.spec.labels);
}

Terms terms_of(const model::Pod& pod) {
  const model::PodAffinity none;
  const model::PodAffinity& for_it = pod.spec.affinity.pod_affinity.value_or(none);
  const model::PodAffinity& against = pod.spec.affinity.pod_anti_affinity.value_or(none);
  Terms terms;
  std::vector<std::string> problems;
  terms.affinity = parsed(pod, for_it.required, "requiredAffinityTerms", problems);
  terms.anti_affinity = parsed(pod, against.required, "requiredAntiAffinityTerms", problems);
  terms.preferred_affinity = parsed(pod, for_it.preferred, "preferredAffinityTerms", problems);
  terms.preferred_anti_affinity =
      parsed(pod, against.preferred, "preferredAntiAffinityTerms", problems);
  for (const std::string& problem : problems)
    terms.problem += (terms.problem.empty() ? "" : ", ") + problem;
  if (problems.size() > 1) terms.problem = '[' + terms.problem + ']';
  return terms;
}

InterPodAffinity::InterPodAffinity(const Objects& objects, const AffinityArguments& arguments,
                                   const model::Pod& pod)
    : objects_(objects),
      arguments_(arguments),
      pod_(pod),
      nodes_(node_infos(objects)),
      own_(terms_of(pod)) {
  if (!own_.problem.empty()) {
    pre_filter_ = {Code::kUnresolvable, "parsing pod: " + own_.problem};
    return;
  }
  for (auto* list : {&own_.affinity, &own_.anti_affinity, &own_.preferred_affinity,
                     &own_.preferred_anti_affinity})
    merge_namespaces(*list);
  auto known = objects.namespaces.find(pod.namespace_name);
  if (known != objects.namespaces.end()) namespace_labels_ = known->second.labels;
  for (const NodeInfo& info : nodes_)
    for (const model::Pod* other : info.pods) count(state_, *info.node, *other);
  if (state_.existing_anti_affinity.empty() && own_.affinity.empty() && own_.anti_affinity.empty())
    pre_filter_.code = Code::kSkip;
}

// Adds the namespaces that a term's selector matches to those that the term names. The selector
// itself stays: v1.34.1 clears it in a copy only (mergeAffinityTermNamespacesIfNotEmpty).
void InterPodAffinity::merge_namespaces(std::vector<Term>& terms) const {
  for (Term& term : terms)
    for (const auto& [name, object] : objects_.namespaces)
      if (!term.namespace_selector.empty() && term.namespace_selector.matches(object.labels))
        term.namespaces.insert(name);
}

// As in v1.34.1, own terms are matched without namespace labels.
bool InterPodAffinity::matches_all(const std::vector<Term>& terms, const model::Pod& pod) const {
  return !terms.empty() && std::all_of(terms.begin(), terms.end(),
                                       [&](const Term& term) { return term.matches(pod, {}); });
}

void InterPodAffinity::count(State& state, const model::Node& node, const model::Pod& other) const {
  for (const Term& term : terms_of(other).anti_affinity)
    if (term.matches(pod_, namespace_labels_)) add(state.existing_anti_affinity, node, term.key, 1);
  if (matches_all(own_.affinity, other))
    for (const Term& term : own_.affinity) add(state.affinity, node, term.key, 1);
  for (const Term& term : own_.anti_affinity)
    if (term.matches(other, {})) add(state.anti_affinity, node, term.key, 1);
}

Status InterPodAffinity::filter(const model::Node& node,
                                const std::vector<const model::Pod*>& nominated) const {
  if (pre_filter_.code != Code::kSuccess) return pre_filter_;
  State state = state_;
  for (const model::Pod* other : nominated) count(state, node, *other);
  bool exist = true;
  for (const Term& term : own_.affinity) {
    const std::string* value = find(node.labels, term.key);
    if (value == nullptr) return {Code::kUnresolvable, kAffinity};
    exist &= at(state.affinity, term.key, *value) > 0;
  }
  // The first pod of a group that requires affinity to itself may be placed.
  const bool first = state.affinity.empty() && matches_all(own_.affinity, pod_);
  if (!exist && !first) return {Code::kUnresolvable, kAffinity};
  for (const Term& term : own_.anti_affinity)
    if (const std::string* value = find(node.labels, term.key);
        value != nullptr && at(state.anti_affinity, term.key, *value) > 0)
      return {Code::kUnschedulable, kAntiAffinity};
  for (const auto& [key, value] : node.labels)
    if (at(state.existing_anti_affinity, key, value) > 0) return {Code::kUnschedulable, kExisting};
  return {};
}

void InterPodAffinity::weigh(Counts& scores, const model::Node& node,
                             const model::Pod& other) const {
  const auto weigh_all = [&](const std::vector<Term>& terms, const model::Pod& target,
                             const model::StringMap& labels, int32_t factor) {
    for (const Term& term : terms)
      if (term.matches(target, labels)) add(scores, node, term.key, term.weight * factor);
  };
  weigh_all(own_.preferred_affinity, other, {}, 1);
  weigh_all(own_.preferred_anti_affinity, other, {}, -1);
  Terms theirs = terms_of(other);
  for (Term& term : theirs.affinity) term.weight = arguments_.hard_pod_affinity_weight;
  if (arguments_.hard_pod_affinity_weight > 0)
    weigh_all(theirs.affinity, pod_, namespace_labels_, 1);
  weigh_all(theirs.preferred_affinity, pod_, namespace_labels_, 1);
  weigh_all(theirs.preferred_anti_affinity, pod_, namespace_labels_, -1);
}

Scores InterPodAffinity::score(const std::vector<std::string>& feasible) const {
  Scores scores;
  const bool prefers =
      (pod_.spec.affinity.pod_affinity && !pod_.spec.affinity.pod_affinity->preferred.empty()) ||
      (pod_.spec.affinity.pod_anti_affinity &&
       !pod_.spec.affinity.pod_anti_affinity->preferred.empty());
  Counts counts;
  if (prefers || !arguments_.ignore_preferred_terms_of_existing_pods)
    for (const NodeInfo& info : nodes_)
      for (const model::Pod* other : info.pods) weigh(counts, *info.node, *other);
  if (counts.empty()) {
    scores.status.code = Code::kSkip;
    return scores;
  }
  int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  for (const std::string& name : feasible) {
    int64_t& score = scores.raw[name] = 0;
    for (const auto& [key, value] : objects_.nodes.at(name).labels) score += at(counts, key, value);
    least = std::min(least, score);
    most = std::max(most, score);
  }
  for (const auto& [name, score] : scores.raw)
    scores.final[name] = most == least
                             ? 0
                             : static_cast<int64_t>(100.0 * (static_cast<double>(score - least) /
                                                             static_cast<double>(most - least)));
  return scores;
}

}  // namespace berth::tests::brute
