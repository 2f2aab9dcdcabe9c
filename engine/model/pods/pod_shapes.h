#pragma once

// Shapes of pods. Pods of the same shape are indistinguishable to every rule: they have the same
// template, namespace, labels and controller. Their terms about other pods are computed once per
// shape.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"

namespace berth::model {

// Everything that rules can read of a pod, apart from its own name, uid and queue position.
struct PodShape {
  TemplateId pod_template = 0;
  StringId namespace_name = 0;
  LabelSetId labels = 0;
  ControllerId controller = 0;
  bool operator==(const PodShape&) const = default;
};

// The id of a distinct ShapeTerms; shapes with equal terms share it.
using ShapeTermsId = uint32_t;
inline constexpr ShapeTermsId kNoTerms = 0;  // of shapes without any

// The lists of affinity terms that a pod can have: spec.affinity.podAffinity and podAntiAffinity,
// required and preferred.
enum class TermGroup : uint8_t {
  kAffinity,
  kAntiAffinity,
  kPreferredAffinity,
  kPreferredAntiAffinity,
};
inline constexpr size_t kTermGroups = 4;

// One list of affinity terms, in the order of the spec; parallel lists.
struct TermList {
  std::vector<TermId> terms;
  std::vector<StringId> keys;    // topology keys
  std::vector<int64_t> weights;  // 1..100 for preferred terms, 1 for required terms
  bool operator==(const TermList&) const = default;
};

// The selectors of spread constraints; parallel lists in the order of the constraints.
struct SpreadTerms {
  std::vector<TermId> terms;         // match pods of the pod's own namespace
  std::vector<uint8_t> self;         // 1: the pod's own labels match
  std::vector<uint8_t> selects_all;  // 1: the selector is present and empty
  std::vector<StringId> problems;    // problem of the selector; 0: none
  bool operator==(const SpreadTerms&) const = default;
};

// The terms of a shape about other pods. Many shapes have equal terms, and most have none.
struct ShapeTerms {
  // A list with an invalid term is empty.
  std::array<TermList, kTermGroups> groups;
  StringId problem = 0;  // problem of an affinity term in any list; 0: none
  SpreadTerms spread;    // parallel to the spread constraints

  // These depend on the current namespaces, services and controllers.
  // Per required affinity term; 1: the pod matches its own term.
  std::vector<uint8_t> affinity_self;
  // Pods of the same services and controller; 0: no such object selects the pod.
  TermId siblings = 0;
  bool siblings_self = false;  // true if the pod matches `siblings` itself

  const TermList& of(TermGroup group) const { return groups[static_cast<size_t>(group)]; }
  bool operator==(const ShapeTerms&) const = default;
};

// The table of shapes. A shape retains its namespace's name, and the terms of all shapes retain
// their strings until collect() drops them. One thread modifies the table; matches(), labels() and
// operator[] may be called from any thread while nothing is modified. The tables that it refers to
// must outlive it.
class PodShapes {
 public:
  PodShapes(Strings& strings, PodTemplates& templates, LabelSelectors& selectors, PodTerms& terms,
            SelectorOwners& sets)
      : strings_(strings),
        templates_(templates),
        selectors_(selectors),
        terms_(terms),
        sets_(sets),
        shapes_(1),
        distinct_(1) {}

  // The id of a shape, new or known. A shape retains its template, labels and controller. collect()
  // retires an id without references and uses it again, so retain an id to keep it longer.
  ShapeId of(const PodShape& shape);
  void retain(ShapeId id) {
    if (counts_.of(id) == 0) {
      BERTH_ASSERT(unused_ != 0);
      --unused_;
    }
    counts_.retain(id);
  }
  void release(ShapeId id) {
    counts_.release(id);
    if (counts_.of(id) == 0) ++unused_;
  }
  size_t candidates() const { return counts_.candidates(); }  // shapes that collect() looks at
  size_t count() const { return ids_.size(); }                // shapes in the table
  size_t unused() const { return unused_; }                   // shapes without references now
  // Retires shapes without references and drops the terms of all shapes, which are computed again
  // when they are needed. Ids of terms lose their meaning.
  void collect();
  const PodShape& operator[](ShapeId id) const { return shapes_[id]; }
  ShapeId size() const { return static_cast<ShapeId>(shapes_.size()); }  // ids are 1..size() - 1

  // Call this after namespaces, services or controllers change. Terms that depend on them are then
  // computed again when they are next asked for.
  void context_changed() { ++context_; }
  uint64_t context() const { return context_; }  // counts the calls of context_changed(), from 1

  // The id of the shape's terms in the current context. Two shapes have the same id if and only if
  // their terms are equal. An id keeps its meaning until collect().
  ShapeTermsId terms_id(ShapeId id);
  // The reference is valid until collect().
  const ShapeTerms& terms(ShapeId id) { return distinct_[terms_id(id)]; }
  // True if pods of shape `id` match the term; `unknown_namespaces` as in PodTerms::matches.
  bool matches(TermId term, ShapeId id, bool unknown_namespaces) const {
    const PodShape& shape = shapes_[id];
    return terms_.matches(term, shape.namespace_name, templates_.labels(shape.labels),
                          unknown_namespaces);
  }
  const PodTemplates& templates() const { return templates_; }
  const Labels& labels(ShapeId id) const { return templates_.labels(shapes_[id].labels); }

 private:
  // The common part of the shapes of one template in one namespace: their terms but for those
  // parts that follow the labels, the controller and the context.
  struct Base {
    uint32_t number = 0;
    std::vector<TermId> affinity;                // required
    std::vector<LabelSelectors::Handle> spread;  // of the constraints
    bool by_label_keys = false;                  // some constraint has matchLabelKeys
  };
  bool has_no_terms(const PodShape& shape) const;
  const Base& base_of(const PodShape& shape);
  void find_parts(ShapeId id, const Base& base);
  ShapeTermsId make_terms(ShapeId id);
  void add_affinity(const PodShape& shape, ShapeTerms& made);
  // Adds a term. Returns its problem, or an empty text; after a problem the list is empty.
  std::string add_term(const PodShape& shape, const PodAffinityTerm& term, TermList& list);
  void add_spread(const PodShape& shape, SpreadTerms& made);
  void add_context(ShapeId id, ShapeTerms& made);
  LabelSelectors::Handle siblings_of(const PodShape& shape);
  ShapeTermsId intern(ShapeTerms made);
  StringId keep(std::string_view text);

  Strings& strings_;
  PodTemplates& templates_;
  LabelSelectors& selectors_;
  PodTerms& terms_;
  SelectorOwners& sets_;
  uint64_t context_ = 1;
  struct Hash {
    size_t operator()(const PodShape& shape) const;
  };
  struct Made {
    uint64_t context = 0;  // context in which `terms` was computed; 0: never
    ShapeTermsId terms = 0;
  };
  std::vector<PodShape> shapes_;
  std::vector<ShapeId> free_;
  ReferenceCounts counts_;
  size_t unused_ = 0;
  boost::unordered_flat_map<PodShape, ShapeId, Hash> ids_;
  std::vector<Made> made_;              // by shape
  std::deque<ShapeTerms> distinct_;     // by id; the first has no terms
  std::vector<StringId> term_strings_;  // each as often as it is retained
  // Positions in distinct_ by the bytes of the terms; the first, no terms, has no entry.
  boost::unordered_flat_map<std::string, ShapeTermsId> distinct_ids_;
  boost::unordered_flat_map<uint64_t, Base> bases_;  // by template and namespace
  // Terms by the number of their base and the parts that it leaves open. Shapes that differ in a
  // label that nobody selects have equal parts, and their terms are not made again.
  boost::unordered_flat_map<std::string, ShapeTermsId> ids_of_parts_;
  std::string parts_;  // of find_parts()
};

}  // namespace berth::model
