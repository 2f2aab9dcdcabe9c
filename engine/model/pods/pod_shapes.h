#pragma once

// Pods that cannot be told apart by what any rule looks at: of one template, in one namespace, with
// equal labels and one controller. What pods say about other pods is worked out once a shape.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/model/pods/pod_templates.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"

namespace berth::model {

struct PodShape {
  TemplateId pod_template = 0;
  StringId namespace_name = 0;
  LabelSetId labels = 0;
  ControllerId controller = 0;
  bool operator==(const PodShape&) const = default;
};

using ShapeTermsId = uint32_t;

// The lists of terms that a pod can spell out about other pods.
enum class TermGroup : uint8_t {
  kAffinity,
  kAntiAffinity,
  kPreferredAffinity,
  kPreferredAntiAffinity,
};
inline constexpr size_t kTermGroups = 4;

// In step.
struct TermList {
  std::vector<TermId> terms;
  std::vector<StringId> keys;
  std::vector<int64_t> weights;  // 1 each where there are none
  bool operator==(const TermList&) const = default;
};

struct SpreadTerms {
  std::vector<TermId> terms;         // of the pod's own namespace
  std::vector<uint8_t> self;         // 1: the pod's own labels match
  std::vector<uint8_t> selects_all;  // 1: the selector is there and empty
  std::vector<StringId> problems;    // what is wrong with the selector; 0: nothing
  bool operator==(const SpreadTerms&) const = default;
};

// What pods of one shape say about other pods. Many shapes say the same, most of them nothing.
struct ShapeTerms {
  // A list in which something is wrong is empty.
  std::array<TermList, kTermGroups> groups;
  StringId problem = 0;  // what is wrong with any of the lists; 0: nothing
  SpreadTerms spread;    // of the spread constraints, in their order

  // What depends on namespaces, services and controllers as they are.
  std::vector<uint8_t> affinity_self;  // of the required affinity: 1: the pod matches its own term
  TermId siblings = 0;                 // pods that belong with it; 0: nothing says which
  bool siblings_self = false;

  const TermList& of(TermGroup group) const { return groups[static_cast<size_t>(group)]; }
  bool operator==(const ShapeTerms&) const = default;
};

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

  // Equal shapes have one id. A shape retains its template, labels and controller. An id without
  // references is retired by the next `collect` and used again; whoever keeps one beyond that
  // retains it.
  ShapeId of(const PodShape& shape);
  void retain(ShapeId id) { counts_.retain(id); }
  void release(ShapeId id) { counts_.release(id); }
  size_t candidates() const { return counts_.candidates(); }
  size_t count() const { return ids_.size(); }
  // Retires shapes without references, and forgets what all shapes say about other pods: that is
  // worked out anew when it is asked for. Terms ids lose their meaning.
  void collect();
  const PodShape& operator[](ShapeId id) const { return shapes_[id]; }
  ShapeId size() const { return static_cast<ShapeId>(shapes_.size()); }  // ids are 1..size() - 1

  // Namespaces, services or controllers are not what they were.
  void context_changed() { ++context_; }
  uint64_t context() const { return context_; }

  // What it says as of context(): the same number exactly for shapes that say the same. Such a
  // number keeps its meaning until `collect`, whatever changes.
  ShapeTermsId terms_id(ShapeId id);
  const ShapeTerms& terms(ShapeId id) { return distinct_[terms_id(id)]; }  // stays where it is
  bool matches(TermId term, ShapeId id, bool unknown_namespaces) const {
    const PodShape& shape = shapes_[id];
    return terms_.matches(term, shape.namespace_name, templates_.labels(shape.labels),
                          unknown_namespaces);
  }
  const Labels& labels(ShapeId id) const { return templates_.labels(shapes_[id].labels); }

 private:
  void add_affinity(const PodShape& shape, ShapeTerms& made);
  // Empty, or what is wrong; then the list is empty.
  std::string add_term(const PodShape& shape, const PodAffinityTerm& term, TermList& list);
  void add_spread(const PodShape& shape, SpreadTerms& made);
  void add_context(ShapeId id, ShapeTerms& made);
  ShapeTermsId intern(ShapeTerms made);

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
    uint64_t context = 0;  // that it was worked out in; 0: not yet
    ShapeTermsId terms = 0;
  };
  std::vector<PodShape> shapes_;
  std::vector<ShapeId> free_;
  ReferenceCounts counts_;
  boost::unordered_flat_map<PodShape, ShapeId, Hash> ids_;
  std::vector<Made> made_;           // by shape
  std::deque<ShapeTerms> distinct_;  // by number; the first says nothing
  boost::unordered_flat_map<std::string, ShapeTermsId> distinct_ids_;  // of the others
};

}  // namespace berth::model
