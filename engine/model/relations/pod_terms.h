#pragma once

// Which pods: those in some namespaces whose labels a selector matches. What pods spell out in
// their affinity and spread constraints, and plugins for themselves, by handle; equal terms have
// one handle.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/cluster/namespaces.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

using TermId = uint32_t;  // 0: no term

struct PodTerm {
  std::vector<StringId> namespaces;                                      // in any order
  LabelSelectors::Handle namespace_selector = LabelSelectors::kNothing;  // more of them
  LabelSelectors::Handle selector = LabelSelectors::kNothing;
};

class PodTerms {
 public:
  PodTerms(const LabelSelectors& selectors, const Namespaces& namespaces)
      : selectors_(selectors), namespaces_(namespaces) {}

  TermId of(PodTerm term);
  // Forgets all terms; their ids are used again. Precondition: nothing refers to one.
  void clear() {
    terms_.clear();
    ids_.clear();
  }
  const PodTerm& operator[](TermId id) const { return terms_[id - 1]; }
  TermId count() const { return static_cast<TermId>(terms_.size()); }  // ids are 1..count

  // Whether it covers pods with these labels in that namespace, by terms that pods carry
  // (`unknown_namespaces`) or by those of the pod that is to be placed. Of carried ones a selector
  // sees a namespace that does not exist as one that has no labels. Of the others it selects
  // namespaces that exist, and all of them, existing or not, if it matches where there are no
  // labels.
  bool matches(TermId id, StringId namespace_name, const Labels& labels,
               bool unknown_namespaces) const;
  bool selects_namespaces(TermId id) const;  // by their labels
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
