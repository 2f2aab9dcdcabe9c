#pragma once

// Terms that placed pods carry. PodCounts answers how many placed pods a pod's own terms match;
// this is the reverse: which terms of placed pods match the pod to be placed, and where. Required
// anti-affinity of placed pods, and the preferences that they have about new pods, need it.
//
// A class (CarriedClass) is one of the lists of terms that pods can have, with a factor for its
// weights; plugins ask for the classes that they need. For a class, the terms that match a pod form
// its match set, and pods with equal match sets share it. For every match set and every topology
// key of its terms, a Sum holds, by domain, the total weight of those terms over the placed pods
// that carry them. The sum of a match set at a node adds up its keys.
//
// Example: ten placed pods carry "no pod with app=web in my zone". They share one term with the key
// `zone`. All pods with app=web and no other matching term have the match set {that term}, whose
// sum in each zone is the number of carriers there.
//
// Cost. The time to place or remove a pod is that of the terms that it carries and of the match
// sets that contain them; it does not depend on the numbers of nodes and pods. The match set of a
// shape is cached until version() changes, which happens when a new term appears or a namespace
// changes. A new match set is summed up once over all placed pods.
//
// Sums by row lag: as in pod_counts.h, refresh() writes the column node.carried for the domains
// that changed.
//
// Threads: the thread that owns the model. weight_in() and terms_in() can be called from any thread
// while the model does not change.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/relations/topology_keys.h"
#include "engine/model/selectors/label_index.h"

namespace berth::model {

using ClassId = uint32_t;     // 0: no class
using MatchSetId = uint32_t;  // 0: nothing matches

// The terms of one list of all placed pods, with a factor for their weights.
struct CarriedClass {
  TermGroup group = TermGroup::kAffinity;
  int64_t factor = 1;               // multiplies each weight
  bool unknown_namespaces = false;  // see PodTerms::matches
};

class CarriedTerms final : public RowCounts {
 public:
  CarriedTerms(Arena& arena, NodeTable& nodes, Catalog& catalog, TopologyKeys& keys,
               PodShapes& shapes, PodTerms& terms, ChangeLog& log);

  // The id of a class, new or known. Classes are never removed.
  ClassId carry(const CarriedClass& what);
  ClassId classes() const { return static_cast<ClassId>(classes_.size()); }  // ids are 1..classes()

  // The match set of pods of that shape in the current version(); 0 if no term of the class matches
  // them.
  MatchSetId match_set(ClassId of, ShapeId shape);
  // A number that changes whenever the match set of some shape may change.
  uint64_t version() const { return version_; }

  MatchSetId match_sets() const { return static_cast<MatchSetId>(sets_.size()); }
  // A match set has a sum for each topology key of its terms. The functions below require a set in
  // 1..match_sets() and a sum below sums(set). Columns are valid until clear().
  size_t sums(MatchSetId set) const { return at(set).sums.size(); }
  // A sum: I64 by domain code of the key. And the codes of that key by row.
  const Column& sum(MatchSetId set, size_t sum) const { return at(set).sums[sum].column; }
  const Column* domain_column(MatchSetId set, size_t sum) const {
    return &at(set).sums[sum].key->domains();
  }
  // One value, I64: the number of matching terms that placed pods carry on nodes with the term's
  // key.
  const Column& carriers(MatchSetId set) const { return at(set).carriers; }

  // The total of all sums of the match set at a node.
  int64_t at_node(MatchSetId id, Slot slot) const override;
  // The column of these totals by row (node.carried), created when it is first asked for. It lags
  // behind until `refresh`, which writes the rows of the domains whose sum changed.
  ColumnId row_column(MatchSetId set);
  void refresh(MatchSetId id) {
    if (MatchSet& set = at(id); !set.changed.empty()) write_rows(id, set);
  }
  bool lags(MatchSetId id) const { return !at(id).changed.empty(); }

  // The amount that a pod of that shape adds to a sum, and to the carriers, on a node that has all
  // keys. Any thread. Precondition: a pod of the shape is placed or nominated, or the terms of the
  // shape are registered (`learn`).
  int64_t weight_in(MatchSetId set, size_t sum, ShapeId shape) const;
  int64_t terms_in(MatchSetId set, size_t sum, ShapeId shape) const;

  // Registers the terms of pods of this shape, even if no such pod is placed.
  void learn(ShapeId shape);

  // Call before and after a node is added, replaced or removed; nothing else may change in between.
  // Terms move between the domains of those keys for which the node's domain differs.
  void node_changes(Slot slot);
  void node_changed(Slot slot);
  // A pod was placed on the node, or will be removed from it. The node need not exist.
  void pod_comes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod.shape, 1); }
  void pod_goes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod.shape, -1); }
  // A placed pod is another one from now on.
  void pod_changes(Slot slot, const PodOnNode& before, const PodOnNode& after);
  // Call after a namespace's labels change, or a namespace is added or removed.
  void namespace_changed() { ++version_; }

  // Drops all match sets and the terms of shapes; their ids are used again. Classes stay.
  // Precondition: nothing refers to a match set. Call learn_again() afterwards.
  void clear();
  // Registers the terms of placed and nominated pods again.
  void learn_again();

  // Sums all pods up again. Describes the first stored sum that differs; empty: all are equal.
  std::string fault() const;

 private:
  struct Pair {  // a term with its topology key
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
    Sum(Arena& arena, TopologyKey& by, uint32_t by_number)
        : key(&by), number(by_number), column(arena, BERTH_I64, false) {
      column.resize(by.codes());
    }
    TopologyKey* key;
    uint32_t number;  // of the key in `used_`
    Column column;    // I64 by domain code
  };
  struct MatchSet {
    explicit MatchSet(Arena& arena) : carriers(arena, BERTH_I64, false) { carriers.resize(1); }
    ClassId of = 0;
    std::vector<uint32_t> pairs;   // ascending
    std::vector<uint32_t> sum_of;  // in step: where the pair's key is in `sums`
    std::vector<Sum> sums;
    Column carriers;
    ColumnId row_column = 0;  // 0: not asked for
    // Sums and domains that changed since the row column was written, see PodCounts.
    static constexpr size_t kFewestChanged = 64;
    std::vector<std::pair<uint32_t, DomainCode>> changed;
    size_t sort_at = kFewestChanged;
  };

  const MatchSet& at(MatchSetId id) const {
    BERTH_ASSERT(id - 1 < sets_.size());
    return *sets_[id - 1];
  }
  MatchSet& at(MatchSetId id) { return const_cast<MatchSet&>(std::as_const(*this).at(id)); }
  void learn_all(Class& in);
  const std::vector<Carried>& carried(Class& in, ShapeId shape);
  uint32_t pair(Class& in, TermId term, StringId key);
  MatchSetId make(ClassId of, std::vector<uint32_t> pairs);
  uint32_t number_of(const TopologyKey& key);
  std::string sum_fault(MatchSetId set, size_t sum, int64_t& carriers) const;
  static uint32_t sum_of(const MatchSet& set, uint32_t pair);
  void add(MatchSetId id, uint32_t sum, DomainCode domain, int64_t weight, int64_t sign);
  void write_rows(MatchSetId id, MatchSet& set);
  void read_domains(Slot slot, std::vector<DomainCode>& domains) const;
  void grow_sums();
  void move_pod(ShapeId shape);
  void count_pod(Slot slot, ShapeId shape, int64_t sign);
  template <typename Take>
  void for_each_in(MatchSetId set, size_t sum, ShapeId shape, Take&& take) const;

  Arena& arena_;
  NodeTable& nodes_;
  Catalog& catalog_;
  TopologyKeys& keys_;
  PodShapes& shapes_;
  PodTerms& terms_;
  ChangeLog& log_;
  uint64_t version_ = 1;
  std::vector<std::unique_ptr<Class>> classes_;
  std::vector<std::unique_ptr<MatchSet>> sets_;
  boost::unordered_flat_map<std::string, MatchSetId> set_ids_;  // by class and pairs
  std::vector<const TopologyKey*> used_;                        // keys of the sums
  // A node's domains in step with used_, before and after it changes.
  std::vector<DomainCode> before_, after_;
};

}  // namespace berth::model
