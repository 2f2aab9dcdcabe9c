#pragma once

// The other direction of counts: terms that placed pods carry with them. For a pod that is to be
// placed, the weights of those terms that match it are summed in the domains of the pods that carry
// them. Kept current at every change; a change costs the terms that the pod carries.
//
// A class is one list of terms that pods can spell out. The terms of a class that match a pod are
// its match set; pods with the same match set share the sums.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/cluster/node_table.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/relations/domain_rows.h"
#include "engine/model/selectors/label_index.h"
#include "engine/model/storage/domains.h"

namespace berth::model {

using ClassId = uint32_t;     // 0: no class
using MatchSetId = uint32_t;  // 0: nothing matches

struct CarriedClass {
  TermGroup group = TermGroup::kAffinity;
  int64_t factor = 1;               // of each weight
  bool unknown_namespaces = false;  // see PodTerms::matches
};

class CarriedTerms final : public RowCounts {
 public:
  CarriedTerms(Arena& arena, NodeTable& nodes, Catalog& catalog, Strings& strings, Domains& domains,
               PodShapes& shapes, PodTerms& terms);

  // Equal classes are one.
  ClassId carry(const CarriedClass& what);
  ClassId classes() const { return static_cast<ClassId>(classes_.size()); }  // ids are 1..classes()

  // The match set of pods of that shape, as of `version`.
  MatchSetId match_set(ClassId of, ShapeId shape);
  // Another number whenever a match set may be another.
  uint64_t version() const { return version_; }

  MatchSetId match_sets() const { return static_cast<MatchSetId>(sets_.size()); }
  // A match set has a sum for each topology key of its terms.
  size_t sums(MatchSetId set) const { return sets_[set - 1]->sums.size(); }
  const Column& sum(MatchSetId set, size_t sum) const { return sets_[set - 1]->sums[sum].column; }
  const Column* domain_column(MatchSetId set, size_t sum) const {
    return sets_[set - 1]->sums[sum].domains;
  }
  // One value: how many matching terms placed pods carry on nodes that have the term's key.
  const Column& carriers(MatchSetId set) const { return sets_[set - 1]->carriers; }

  // Over all sums, at a node.
  int64_t at_node(MatchSetId id, Slot slot) const override;
  // The column of that by row (node.carried). It lags behind until `refresh`, which writes the rows
  // of those domains whose sum changed.
  ColumnId row_column(MatchSetId set);
  void refresh(MatchSetId id) {
    if (MatchSet& set = *sets_[id - 1]; !set.changed.empty()) write_rows(id, set);
  }

  // What a pod of that shape adds: to a sum, and to the carriers, on a node that has all keys. Any
  // thread. Precondition: `learn` knows the shape.
  int64_t weight_in(MatchSetId set, size_t sum, ShapeId shape) const;
  int64_t terms_in(MatchSetId set, size_t sum, ShapeId shape) const;

  // The terms of such pods are known from now on, even if none is placed.
  void learn(ShapeId shape);

  void node_comes(Slot slot) { count_node(slot, 1); }
  void node_goes(Slot slot) { count_node(slot, -1); }
  void pod_comes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod.shape, 1); }
  void pod_goes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod.shape, -1); }
  void namespace_changed() { ++version_; }

  // Forgets all match sets and what shapes carry; their ids are used again. Classes stay, and the
  // terms of placed and nominated pods are learned anew. Precondition: nothing refers to a match
  // set.
  void clear();

  // Counts everything anew and asserts that it is what was kept.
  void verify() const;

 private:
  struct Pair {  // a term with the topology key that it stands with
    TermId term;
    StringId key;
    std::vector<MatchSetId> sets;
  };
  struct Carried {
    uint32_t pair;
    int64_t weight;
  };
  struct Match {
    uint64_t version = 0;
    MatchSetId set = 0;
  };
  struct Class {
    CarriedClass what;
    std::vector<Pair> pairs;
    boost::unordered_flat_map<uint64_t, uint32_t> numbers;  // of pairs, by term and key
    LabelIndex index;
    std::vector<std::optional<std::vector<Carried>>> carried;  // by shape
    std::vector<Match> matches;                                // by shape
  };
  struct Sum {
    Sum(Arena& arena, StringId of, const Column& by)
        : key(of), domains(&by), column(arena, BERTH_I64, false) {}
    StringId key;
    const Column* domains;
    Column column;  // I64 by domain code
  };
  struct MatchSet {
    explicit MatchSet(Arena& arena) : carriers(arena, BERTH_I64, false) { carriers.resize(1); }
    ClassId of = 0;
    std::vector<uint32_t> pairs;   // ascending
    std::vector<uint32_t> sum_of;  // in step: where the pair's key is in `sums`
    std::vector<Sum> sums;
    Column carriers;
    ColumnId row_column = 0;                               // 0: nobody asked
    std::vector<std::pair<uint32_t, DomainCode>> changed;  // sum and domain, since it was written
  };

  void learn_all(Class& in);
  const std::vector<Carried>& carried(Class& in, ShapeId shape);
  uint32_t pair(Class& in, TermId term, StringId key);
  MatchSetId make(ClassId of, std::vector<uint32_t> pairs);
  void add(MatchSet& set, uint32_t pair, Row row, int64_t weight, int64_t sign);
  void write_rows(MatchSetId id, MatchSet& set);
  void count_node(Slot slot, int64_t sign);
  void count_pod(Slot slot, ShapeId shape, int64_t sign);
  template <typename Take>
  void for_each_in(MatchSetId set, size_t sum, ShapeId shape, Take&& take) const;

  Arena& arena_;
  NodeTable& nodes_;
  Catalog& catalog_;
  Strings& strings_;
  Domains& domains_;
  PodShapes& shapes_;
  PodTerms& terms_;
  uint64_t version_ = 1;
  std::vector<std::unique_ptr<Class>> classes_;
  std::vector<std::unique_ptr<MatchSet>> sets_;
  boost::unordered_flat_map<std::string, MatchSetId> set_ids_;             // by class and pairs
  boost::unordered_flat_map<StringId, std::unique_ptr<DomainRows>> rows_;  // by key
};

}  // namespace berth::model
