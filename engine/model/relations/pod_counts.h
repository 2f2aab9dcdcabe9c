#pragma once

// Counts of placed pods: how many of those that all terms of a query match are in each domain of a
// topology key, over the nodes that take part. Kept current at every change; a change costs the
// queries that match the pod, not nodes or pods.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/cluster/node_table.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/relations/domain_rows.h"
#include "engine/model/relations/domain_tally.h"
#include "engine/model/selectors/label_index.h"

namespace berth::model {

using QueryId = uint32_t;  // 0: no query

// Which pods a query counts: bits, as in berth/abi/counts.h.
namespace counted {
inline constexpr uint32_t kPlaced = 1;
inline constexpr uint32_t kPlacedTerminating = 2;
inline constexpr uint32_t kOverlaid = 4;
inline constexpr uint32_t kOverlaidTerminating = 8;
inline constexpr uint32_t kAll = 15;
}  // namespace counted

struct CountQuery {
  std::vector<TermId> terms = {};           // a pod must match all
  StringId key = 0;                         // 0: each node is a domain of its own
  std::vector<ColumnId> participants = {};  // U8 columns of nodes; all must be other than 0
  uint32_t pods = counted::kAll;
  bool unlabelled = false;          // nodes without the key are in the domain of the empty value
  bool unknown_namespaces = false;  // see PodTerms::matches
};

class PodCounts final : public RowCounts {
 public:
  PodCounts(Arena& arena, NodeTable& nodes, Catalog& catalog, Strings& strings, Domains& domains,
            PodShapes& shapes, PodTerms& terms);

  // Equal queries are one. A new one is counted over all placed pods.
  QueryId query(CountQuery query);
  QueryId count() const { return static_cast<QueryId>(queries_.size()); }  // ids are 1..count
  const CountQuery& operator[](QueryId id) const { return queries_[id - 1]->what; }
  const DomainTally& tally(QueryId id) const { return queries_[id - 1]->tally; }

  // The column of node domains that a query goes by; null: the nodes themselves.
  const Column* domain_column(QueryId id) const { return queries_[id - 1]->domains; }
  // The domain in which a node counts; 0: it does not take part.
  DomainCode domain(QueryId id, Slot slot) const;
  // The count in a node's domain, whether the node takes part or not.
  int64_t at_node(QueryId id, Slot slot) const override;
  // The column of that by row (node.count). It lags behind until `refresh`, which writes the rows
  // of those domains whose count changed.
  ColumnId row_column(QueryId id);
  void refresh(QueryId id) {
    if (Query& query = *queries_[id - 1]; !query.changed.empty()) write_rows(query);
  }

  // Whether a query counts such a pod, were it put somewhere or taken away. Any thread.
  bool counts_overlaid(QueryId id, ShapeId shape, bool terminating) const;

  // What happened. A node comes after it got its row and values, and goes before it loses them.
  void node_comes(Slot slot) { count_node(slot, true); }
  void node_goes(Slot slot) { count_node(slot, false); }
  void pod_comes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod, 1); }
  void pod_goes(Slot slot, const PodOnNode& pod) { count_pod(slot, pod, -1); }
  // Around a change of a namespace's labels, or of whether it exists.
  void namespace_changes(StringId name);
  void namespace_changed(StringId name);

  // Forgets all queries; their ids are used again. Precondition: nothing refers to one.
  void clear();

  // Counts everything anew and asserts that it is what was kept.
  void verify() const;

 private:
  struct Query {
    Query(Arena& arena, CountQuery query) : what(std::move(query)), tally(arena) {}
    CountQuery what;
    DomainTally tally;
    const Column* domains = nullptr;
    DomainCode unlabelled = 0;  // the domain of nodes without the key
    std::vector<const Column*> participants;
    ColumnId row_column = 0;          // 0: nobody asked
    std::vector<DomainCode> changed;  // since the row column was written
  };
  struct Matched {
    QueryId seen = 0;  // queries up to this one were tried
    std::vector<QueryId> queries;
  };

  bool matches(const Query& query, ShapeId shape) const;
  const std::vector<QueryId>& matched(ShapeId shape);
  static bool counts(const Query& query, const PodOnNode& pod);
  void fill(Query& query);
  void reach(Query& query);
  void count_node(Slot slot, bool comes);
  void count_pod(Slot slot, const PodOnNode& pod, int64_t sign);
  static void add(Query& query, DomainCode domain, int64_t difference);
  void write_rows(Query& query);
  void verify_rows(const Query& query) const;
  DomainRows& rows_of(const Query& query);
  DomainCode domain_of(const Query& query, Slot slot) const;
  std::pair<StringId, StringId> required(const CountQuery& query) const;

  Arena& arena_;
  NodeTable& nodes_;
  Catalog& catalog_;
  Strings& strings_;
  Domains& domains_;
  PodShapes& shapes_;
  PodTerms& terms_;
  std::vector<std::unique_ptr<Query>> queries_;
  boost::unordered_flat_map<std::string, QueryId> ids_;
  LabelIndex index_;
  std::vector<Matched> matched_;                                           // by shape
  boost::unordered_flat_map<StringId, std::unique_ptr<DomainRows>> rows_;  // by key
};

}  // namespace berth::model
