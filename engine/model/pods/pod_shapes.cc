#include "engine/model/pods/pod_shapes.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "engine/base/text/joined.h"

namespace berth::model {
namespace {

// Builds bytes that are equal if and only if the terms are.
class Identity {
 public:
  Identity() { bytes_.reserve(kUsual); }

  template <typename T>
  requires std::is_arithmetic_v<T>
  void add(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <typename T>
  void add(const std::vector<T>& list) {
    add(list.size());
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }
  std::string take() { return std::move(bytes_); }

 private:
  static constexpr size_t kUsual = 256;
  std::string bytes_;
};

std::string identity(const ShapeTerms& terms) {
  Identity bytes;
  for (const TermList& list : terms.groups) {
    bytes.add(list.terms);
    bytes.add(list.keys);
    bytes.add(list.weights);
  }
  bytes.add(terms.problem);
  bytes.add(terms.spread.terms);
  bytes.add(terms.spread.self);
  bytes.add(terms.spread.selects_all);
  bytes.add(terms.spread.problems);
  bytes.add(terms.affinity_self);
  bytes.add(terms.siblings);
  bytes.add(terms.siblings_self);
  return bytes.take();
}

// Joins errors as upstream does: a single one as is, several in brackets, without duplicates.
std::string aggregated(const std::vector<std::string>& errors) {
  std::vector<std::string> said;
  for (const std::string& error : errors)
    if (std::find(said.begin(), said.end(), error) == said.end()) said.push_back(error);
  return said.size() == 1 ? said[0] : "[" + joined(said, ", ") + "]";
}

}  // namespace

size_t PodShapes::Hash::operator()(const PodShape& shape) const {
  const auto pair = [](uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; };
  return mix(mix(pair(shape.pod_template, shape.namespace_name)) ^
             pair(shape.labels, shape.controller));
}

ShapeId PodShapes::of(const PodShape& shape) {
  const ShapeId next = free_.empty() ? size() : free_.back();
  auto [at, fresh] = ids_.try_emplace(shape, next);
  if (!fresh) return at->second;
  if (free_.empty()) {
    shapes_.emplace_back();
  } else {
    free_.pop_back();
  }
  shapes_[next] = shape;
  strings_.retain(shape.namespace_name);
  templates_.retain(shape.pod_template);
  templates_.retain_labels(shape.labels);
  if (shape.controller != 0) templates_.retain_controller(shape.controller);
  counts_.add(next);
  ++unused_;
  return next;
}

void PodShapes::collect() {
  counts_.sweep([&](ShapeId id) {
    const PodShape gone = std::exchange(shapes_[id], {});  // of no namespace from now on
    ids_.erase(gone);
    strings_.release(gone.namespace_name);
    templates_.release(gone.pod_template);
    templates_.release_labels(gone.labels);
    if (gone.controller != 0) templates_.release_controller(gone.controller);
    free_.push_back(id);
    BERTH_ASSERT(unused_ != 0);
    --unused_;
  });
  made_.clear();
  distinct_.resize(1);
  distinct_ids_.clear();
  bases_.clear();
  ids_of_parts_.clear();
  for (const StringId string : term_strings_) strings_.release(string);
  term_strings_.clear();
}

StringId PodShapes::keep(std::string_view text) {
  const StringId id = strings_.intern_counted(text);
  strings_.retain(id);
  term_strings_.push_back(id);
  return id;
}

ShapeTermsId PodShapes::terms_id(ShapeId id) {
  if (id >= made_.size()) made_.resize(shapes_.size());
  if (made_[id].context != context_ && has_no_terms(shapes_[id])) made_[id] = {context_, 0};
  if (made_[id].context != context_) {
    find_parts(id, base_of(shapes_[id]));
    const auto known = ids_of_parts_.find(parts_);
    const ShapeTermsId terms = known != ids_of_parts_.end() ? known->second : make_terms(id);
    if (known == ids_of_parts_.end()) ids_of_parts_.emplace(parts_, terms);
    made_[id] = {context_, terms};
  }
  return made_[id].terms;
}

ShapeTermsId PodShapes::make_terms(ShapeId id) {
  ShapeTerms terms;
  add_affinity(shapes_[id], terms);
  add_spread(shapes_[id], terms.spread);
  add_context(id, terms);
  return intern(std::move(terms));
}

const PodShapes::Base& PodShapes::base_of(const PodShape& shape) {
  const uint64_t key = uint64_t{shape.pod_template} << 32 | shape.namespace_name;
  const auto [at, fresh] = bases_.try_emplace(key);
  Base& base = at->second;
  if (!fresh) return base;
  base.number = static_cast<uint32_t>(bases_.size());
  ShapeTerms terms;
  add_affinity(shape, terms);
  base.affinity = terms.of(TermGroup::kAffinity).terms;
  for (const TopologySpreadConstraint& source :
       templates_[shape.pod_template].spec.topology_spread_constraints) {
    base.spread.push_back(selectors_.of(source.label_selector));
    base.by_label_keys |= !source.match_label_keys.empty();
  }
  return base;
}

// Writes the base's number to parts_, and all else that decides the terms of the shape.
void PodShapes::find_parts(ShapeId id, const Base& base) {
  const PodShape& shape = shapes_[id];
  const Labels& labels = templates_.labels(shape.labels);
  parts_.clear();
  const auto add = [&](auto value) {
    parts_.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(base.number);
  for (const TermId term : base.affinity) add(matches(term, id, false));
  if (base.by_label_keys) {
    SpreadTerms spread;
    add_spread(shape, spread);
    for (const TermId term : spread.terms) add(term);
    for (const uint8_t self : spread.self) add(self);
  } else {
    for (const LabelSelectors::Handle selector : base.spread)
      add(selectors_.matches(selector, labels));
  }
  if (!sets_.any_in(shape.namespace_name)) return;
  const LabelSelectors::Handle siblings = siblings_of(shape);
  add(siblings);
  add(selectors_.matches(siblings, labels));
}

// Most pods have none, and each may have a shape of its own.
bool PodShapes::has_no_terms(const PodShape& shape) const {
  const PodSpec& spec = templates_[shape.pod_template].spec;
  return !spec.affinity.pod_affinity && !spec.affinity.pod_anti_affinity &&
         spec.topology_spread_constraints.empty() && !sets_.any_in(shape.namespace_name);
}

ShapeTermsId PodShapes::intern(ShapeTerms made) {
  if (made == distinct_.front()) return 0;
  const auto next = static_cast<ShapeTermsId>(distinct_.size());
  const auto [at, fresh] = distinct_ids_.try_emplace(identity(made), next);
  if (fresh) distinct_.push_back(std::move(made));
  return at->second;
}

// A term without namespaces and without a namespace selector means the pod's own namespace. Source:
// kube-scheduler framework/types.go, newAffinityTerm.
std::string PodShapes::add_term(const PodShape& shape, const PodAffinityTerm& source,
                                TermList& list) {
  PodTerm term;
  term.selector = selectors_.of(source.label_selector);
  term.namespace_selector = selectors_.of(source.namespace_selector);
  for (LabelSelectors::Handle selector : {term.selector, term.namespace_selector})
    if (std::string_view problem = selectors_.problem(selector); !problem.empty()) {
      list = {};
      return std::string(problem);
    }
  for (const std::string& name : source.namespaces) term.namespaces.push_back(keep(name));
  if (source.namespaces.empty() && !source.namespace_selector)
    term.namespaces.push_back(shape.namespace_name);
  list.terms.push_back(terms_.of(std::move(term)));
  list.keys.push_back(keep(source.topology_key));
  return {};
}

void PodShapes::add_affinity(const PodShape& shape, ShapeTerms& made) {
  const Affinity& affinity = templates_[shape.pod_template].spec.affinity;
  std::vector<std::string> problems;
  auto list = [&](TermGroup group) -> TermList& { return made.groups[static_cast<size_t>(group)]; };
  auto required = [&](const std::optional<PodAffinity>& half, TermGroup group, const char* name) {
    if (!half) return;
    for (const PodAffinityTerm& term : half->required)
      if (std::string problem = add_term(shape, term, list(group)); !problem.empty())
        return problems.push_back(std::string(name) + ": " + problem);
  };
  auto preferred = [&](const std::optional<PodAffinity>& half, TermGroup group, const char* name) {
    if (!half) return;
    for (const WeightedPodAffinityTerm& weighted : half->preferred) {
      if (std::string problem = add_term(shape, weighted.term, list(group)); !problem.empty())
        return problems.push_back(std::string(name) + ": " + problem);
      list(group).weights.push_back(weighted.weight);
    }
  };
  required(affinity.pod_affinity, TermGroup::kAffinity, "requiredAffinityTerms");
  required(affinity.pod_anti_affinity, TermGroup::kAntiAffinity, "requiredAntiAffinityTerms");
  preferred(affinity.pod_affinity, TermGroup::kPreferredAffinity, "preferredAffinityTerms");
  preferred(affinity.pod_anti_affinity, TermGroup::kPreferredAntiAffinity,
            "preferredAntiAffinityTerms");
  if (!problems.empty()) made.problem = keep(aggregated(problems));
}

// The pod's own values of the labels in matchLabelKeys must match too. Source: kube-scheduler
// podtopologyspread/common.go.
void PodShapes::add_spread(const PodShape& shape, SpreadTerms& made) {
  const Labels& labels = templates_.labels(shape.labels);
  for (const TopologySpreadConstraint& source :
       templates_[shape.pod_template].spec.topology_spread_constraints) {
    LabelSelectors::Handle selector = selectors_.of(source.label_selector);
    const std::string_view problem = selectors_.problem(selector);
    Labels own;
    for (const std::string& name : source.match_label_keys) {
      const StringId key = strings_.find(name);
      if (const StringId value = label_value(labels, key); value != 0) own.emplace_back(key, value);
    }
    if (!own.empty()) selector = selectors_.both(selector, selectors_.of_labels(own));
    made.terms.push_back(terms_.of({{shape.namespace_name}, LabelSelectors::kNothing, selector}));
    made.self.push_back(selectors_.matches(selector, labels));
    made.selects_all.push_back(selectors_.everything(selector));
    made.problems.push_back(problem.empty() ? 0 : keep(problem));
  }
}

LabelSelectors::Handle PodShapes::siblings_of(const PodShape& shape) {
  const Controller* controller =
      shape.controller == 0 ? nullptr : &templates_.controller(shape.controller);
  return sets_.siblings(shape.namespace_name, templates_.labels(shape.labels), controller);
}

void PodShapes::add_context(ShapeId id, ShapeTerms& made) {
  const PodShape& shape = shapes_[id];
  for (TermId term : made.of(TermGroup::kAffinity).terms)
    made.affinity_self.push_back(matches(term, id, false));
  const Labels& labels = templates_.labels(shape.labels);
  const LabelSelectors::Handle siblings = siblings_of(shape);
  if (selectors_.everything(siblings)) return;
  made.siblings = terms_.of({{shape.namespace_name}, LabelSelectors::kNothing, siblings});
  made.siblings_self = selectors_.matches(siblings, labels);
}

}  // namespace berth::model
