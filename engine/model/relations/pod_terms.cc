#include "engine/model/relations/pod_terms.h"

#include <algorithm>
#include <utility>

#include "engine/base/sort_once.h"

namespace berth::model {

TermId PodTerms::of(PodTerm term) {
  sort_once(term.namespaces);
  std::string identity;
  auto append = [&](uint32_t number) {
    identity.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  append(term.selector);
  append(term.namespace_selector);
  for (StringId name : term.namespaces) append(name);
  auto [at, fresh] = ids_.try_emplace(std::move(identity), count() + 1);
  if (fresh) terms_.push_back(std::move(term));
  return at->second;
}

bool PodTerms::matches(TermId id, StringId namespace_name, const Labels& labels,
                       bool unknown_namespaces) const {
  const PodTerm& term = (*this)[id];
  bool in = std::binary_search(term.namespaces.begin(), term.namespaces.end(), namespace_name) ||
            selectors_.everything(term.namespace_selector);
  if (!in && (unknown_namespaces || namespaces_.exists(namespace_name)))
    in = selectors_.matches(term.namespace_selector, namespaces_.labels(namespace_name));
  // kube-scheduler v1.34.1 adds the matching namespaces to the term and intends to clear the
  // selector, but clears that of a copy. The original selector is then matched against empty labels
  // (mergeAffinityTermNamespacesIfNotEmpty).
  if (!in && !unknown_namespaces) in = selectors_.matches(term.namespace_selector, {});
  return in && selectors_.matches(term.selector, labels);
}

bool PodTerms::matches_event(TermId id, StringId namespace_name, const Labels& labels) const {
  const PodTerm& term = (*this)[id];
  const bool in =
      std::binary_search(term.namespaces.begin(), term.namespaces.end(), namespace_name) ||
      selectors_.matches(term.namespace_selector, {});
  return in && selectors_.matches(term.selector, labels);
}

bool PodTerms::selects_namespaces(TermId id) const {
  const LabelSelectors::Handle selector = (*this)[id].namespace_selector;
  return selector != LabelSelectors::kNothing && selector != LabelSelectors::kEverything;
}

}  // namespace berth::model
