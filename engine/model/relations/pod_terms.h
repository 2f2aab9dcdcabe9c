#pragma once

// Terms: sets of pods, given by namespaces and a label selector. They come from affinity and spread
// constraints of pods, and from plugins. Terms are referred to by handle; equal terms have the same
// handle.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/namespaces.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

using TermId = uint32_t;  // 0: no term

// Pods whose labels match `selector`, in the listed namespaces and in those that
// `namespace_selector` selects.
struct PodTerm {
  std::vector<StringId> namespaces;  // of() sorts them and removes duplicates
  // Selects further namespaces by their labels.
  LabelSelectors::Handle namespace_selector = LabelSelectors::kNothing;
  LabelSelectors::Handle selector = LabelSelectors::kNothing;
};

// One thread adds terms; others may call the const functions while nothing is added. The tables
// that it refers to outlive it.
class PodTerms {
 public:
  PodTerms(const LabelSelectors& selectors, const Namespaces& namespaces)
      : selectors_(selectors), namespaces_(namespaces) {}

  // The id of a term, new or known. `namespaces` can be in any order.
  TermId of(PodTerm term);
  // Drops all terms; their ids are used again. Precondition: nothing refers to one.
  void clear() {
    terms_.clear();
    ids_.clear();
  }
  const PodTerm& operator[](TermId id) const {
    BERTH_ASSERT(id - 1 < count());
    return terms_[id - 1];
  }
  TermId count() const { return static_cast<TermId>(terms_.size()); }  // ids are 1..count

  // True if the term matches pods with these labels in this namespace.
  //
  // `unknown_namespaces`: how namespace selectors treat namespaces. True is for terms of placed
  // pods ("carried" terms): a namespace that does not exist counts as having no labels. False is
  // for terms of the pod to be placed: a selector matches only existing namespaces, but if it
  // matches empty labels, it matches all namespaces, existing or not (see the note on v1.34.1 in
  // pod_terms.cc).
  bool matches(TermId id, StringId namespace_name, const Labels& labels,
               bool unknown_namespaces) const;
  // The same with an empty set of labels for every namespace: kube-scheduler's rule for events.
  bool matches_event(TermId id, StringId namespace_name, const Labels& labels) const;
  bool selects_namespaces(TermId id) const;  // true if it selects namespaces by labels
  // A label that every matching pod has, for LabelIndex; zeros: none.
  std::pair<StringId, StringId> required(TermId id) const {
    return selectors_.required((*this)[id].selector);
  }

 private:
  const LabelSelectors& selectors_;
  const Namespaces& namespaces_;
  std::vector<PodTerm> terms_;
  boost::unordered_flat_map<std::string, TermId> ids_;  // by identity
};

}  // namespace berth::model
