#pragma once

// Counts of placed pods by topology domain, for rules such as "at most one more pod of this app per
// zone than elsewhere".
//
// A query (CountQuery) gives the terms that a pod must all match, a topology key, the columns that
// say which nodes participate, and the kinds of pods that count. For every query a DomainTally
// holds the number of matching pods in each domain, their total, and the minimum over the domains
// that have a participating node. Equal queries share an id. Hooks read the numbers through the
// counts service.
//
// Sums. A query may name a resource. A pod is then worth what it adds to node.requested of that
// resource, instead of 1, and all that is said of counts here holds for these sums.
//
// Cost. Pods of one shape match the same queries. `matched_` caches these queries by shape, and
// LabelIndex limits the queries that a shape is tried against. The time to place or remove a pod is
// therefore that of the queries that it matches; it does not depend on the numbers of nodes and
// pods. A new query counts all placed pods once and tries each shape once.
//
// Counts by row lag. One changed domain can cover a third of all rows, so the column node.count is
// not written when a pod is placed. Each query remembers its changed domains, and refresh() writes
// their rows. Call it before the column is read.
//
// Namespaces. A term can select namespaces by labels, so a change of a namespace can change which
// queries its pods match. namespace_changes() before, and namespace_changed() after the change move
// the counts of those pods.
//
// Participants. A pod with n spread constraints has n queries with one and the same list of n or
// more participant columns. Equal lists are kept once (Participants), with the answer for each
// node, so that a query costs neither memory nor time for the length of its list. The same goes for
// terms: a pod with n terms of affinity by n keys has n queries of all n terms.
//
// Threads: the thread that owns the model. worth_overlaid() can be called from any thread while
// the model does not change.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/relations/domain_tally.h"
#include "engine/model/relations/topology_keys.h"
#include "engine/model/selectors/label_index.h"

namespace berth::model {

using QueryId = uint32_t;  // 0: no query

// The kinds of pods that a query counts, as bits of berth/abi/counts.h. Overlaid pods are those
// that an overlay adds to a node or removes from it.
namespace counted {
inline constexpr uint32_t kPlaced = 1;
inline constexpr uint32_t kPlacedTerminating = 2;
inline constexpr uint32_t kOverlaid = 4;
inline constexpr uint32_t kOverlaidTerminating = 8;
inline constexpr uint32_t kAll = 15;
}  // namespace counted

struct CountQuery {
  std::vector<TermId> terms = {};           // a pod must match all of them
  StringId key = 0;                         // 0: each node is a domain of its own
  std::vector<ColumnId> participants = {};  // U8 node columns; a node needs nonzero in all of them
  uint32_t pods = counted::kAll;
  bool unlabelled = false;          // nodes without the key count in the domain of the empty value
  bool unknown_namespaces = false;  // see PodTerms::matches
  StringId resource = 0;            // pods are worth what they request of it; 0: each is worth 1
};

class PodCounts final : public RowCounts {
 public:
  PodCounts(Arena& arena, NodeTable& nodes, Catalog& catalog, Strings& strings, Domains& domains,
            TopologyKeys& keys, PodShapes& shapes, PodTerms& terms, ChangeLog& log);

  // The id of a query, new or known. A new query is counted over all placed pods. Precondition: its
  // terms and columns exist.
  QueryId query(CountQuery query);
  // True if a query has exactly these participant columns, in ascending order: they exist. Takes
  // the time of one comparison if they are those of the query that was made last.
  bool knows_participants(std::span<const ColumnId> columns);
  // True if the query that was made last had these terms, in this order: they exist.
  bool knows_terms(std::span<const TermId> terms) const;
  // Ids are 1..count(). The functions below require such an id. References are valid until clear().
  QueryId count() const { return static_cast<QueryId>(queries_.size()); }
  // The terms and participants are left out.
  const CountQuery& operator[](QueryId id) const { return at(id).what; }
  std::span<const TermId> terms(QueryId id) const { return *at(id).terms; }  // ascending
  const DomainTally& tally(QueryId id) const { return at(id).tally; }

  // The column of node domains of the query's key: U32 codes by row; null if each node is a domain.
  const Column* domain_column(QueryId id) const {
    const TopologyKey* key = at(id).key;
    return key != nullptr ? &key->domains() : nullptr;
  }
  // The domain in which a node's pods count; 0: the node does not participate.
  DomainCode domain(QueryId id, Slot slot) const;
  // The count in a node's domain, whether the node participates or not; 0 if it has no domain.
  int64_t at_node(QueryId id, Slot slot) const override;
  // The column of these counts by row (node.count), created when it is first asked for. It lags
  // behind until `refresh`, which writes the rows of the domains whose count changed.
  ColumnId row_column(QueryId id);
  void refresh(QueryId id) {
    if (Query& query = at(id); !query.changed.empty()) write_rows(query);
  }
  bool lags(QueryId id) const { return !at(id).changed.empty(); }

  // True if the query counts this placed pod, on a node that takes part, and the pod is worth
  // something. Any thread.
  bool counts_placed(QueryId id, const PodOnNode& pod) const {
    const Query& query = at(id);
    return counts(query, pod) && worth(query, pod) != 0 && matches(query, pod.shape);
  }
  // What the pod is worth to a query if an overlay adds or removes it; 0: the query does not count
  // it. Any thread.
  int64_t worth_overlaid(QueryId id, const PodOnNode& pod) const;

  // Call before and after a node is added, replaced or removed; nothing else may change in between.
  // The node moves between the domains of those queries for which its domain differs.
  void node_changes(Slot slot);
  void node_changed(Slot slot);
  // A pod was placed on the node, or will be removed from it. The node need not exist.
  void pod_comes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod, 1); }
  void pod_goes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod, -1); }
  // A placed pod is another one from now on.
  void pod_changes(Slot slot, const PodOnNode& before, const PodOnNode& after);
  // Call before and after a namespace's labels change, or the namespace is added or removed.
  void namespace_changes(StringId name);
  void namespace_changed(StringId name);

  // Drops all queries; their ids are used again. Precondition: nothing refers to one.
  void clear();

  // Counts all pods again. Describes the first stored count that differs; empty: all are equal.
  std::string fault() const;

 private:
  // The nodes that have nonzero in all of these columns.
  struct Participants {
    std::vector<ColumnId> ids;  // ascending, each once
    std::vector<const Column*> columns;
    std::vector<uint8_t> take_part;  // by slot, of the nodes that are present; 1: it takes part
  };
  struct Query {
    Query(Arena& arena, CountQuery query)
        : what(std::move(query)),
          tally(arena, what.resource == 0 ? Tallied::kPods : Tallied::kAmounts) {}
    CountQuery what;
    DomainTally tally;
    QueryId id = 0;
    const std::vector<TermId>* terms = nullptr;  // ascending, each once
    TopologyKey* key = nullptr;                  // null: each node is a domain of its own
    DomainCode unlabelled = 0;                   // the domain of nodes without the key
    const Participants* participants = nullptr;  // null: all nodes
    ColumnId row_column = 0;                     // 0: not asked for
    // Domains whose count changed since the row column was written. When there are `sort_at`, those
    // that occur twice are removed, so that their number stays that of the domains.
    static constexpr size_t kFewestChanged = 64;
    std::vector<DomainCode> changed;
    size_t sort_at = kFewestChanged;
  };
  struct Matched {
    QueryId seen = 0;  // queries up to this one were tried
    std::vector<QueryId> queries;
  };

  const Query& at(QueryId id) const {
    BERTH_ASSERT(id - 1 < queries_.size());
    return *queries_[id - 1];
  }
  Query& at(QueryId id) { return const_cast<Query&>(std::as_const(*this).at(id)); }
  // The index into participants_; nothing: no query has them.
  std::optional<size_t> find_participants(std::span<const ColumnId> columns);
  size_t participants(std::vector<ColumnId> columns);
  size_t term_list(std::vector<TermId> terms);
  bool takes_part(const Participants& participants, Slot slot) const;
  void look_at(Participants& participants, Slot slot);
  bool matches(const Query& query, ShapeId shape) const;
  const std::vector<QueryId>& matched(ShapeId shape);
  static bool counts(const Query& query, const PodOnNode& pod);
  int64_t worth(const Query& query, const PodOnNode& pod) const {
    return query.what.resource == 0 ? 1 : requested(query, pod);
  }
  int64_t requested(const Query& query, const PodOnNode& pod) const;
  void fill(Query& query);
  void reach(Query& query);
  void move_pods(Slot slot);
  void count_pod(Slot slot, const PodOnNode& pod, int64_t sign);
  void join(Query& query, DomainCode domain);
  void leave(Query& query, DomainCode domain);
  void add(Query& query, DomainCode domain, int64_t difference);
  void write_rows(Query& query);
  std::string query_fault(const Query& query) const;
  std::string words(const Query& query, int64_t count) const;
  std::string row_fault(const Query& query) const;
  DomainCode domain_of(const Query& query, Slot slot) const;
  std::pair<StringId, StringId> required(const Query& query) const;

  Arena& arena_;
  NodeTable& nodes_;
  Catalog& catalog_;
  Strings& strings_;
  Domains& domains_;
  TopologyKeys& keys_;
  PodShapes& shapes_;
  PodTerms& terms_;
  ChangeLog& log_;
  std::vector<std::unique_ptr<Query>> queries_;
  boost::unordered_flat_map<std::string, QueryId> ids_;
  std::vector<std::unique_ptr<Participants>> participants_;
  boost::unordered_flat_map<std::string, size_t> participants_ids_;  // by the bytes of the ids
  size_t last_participants_ = 0;
  std::vector<std::unique_ptr<std::vector<TermId>>> term_lists_;
  boost::unordered_flat_map<std::string, size_t> term_lists_ids_;  // by the bytes of the ids
  std::vector<TermId> last_terms_;                                 // as they were given
  size_t last_term_list_ = 0;                                      // theirs
  LabelIndex index_;
  std::vector<Matched> matched_;  // by shape
  // A node's domain by query, before and after it changes.
  std::vector<DomainCode> before_, after_;
};

}  // namespace berth::model
