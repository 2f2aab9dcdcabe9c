#pragma once

// Checks rows with nominated pods, after all filters were run over the unchanged rows: the part of
// the serial loop that evaluates a row twice (RowFilter::check).
//
// Verdicts are kept in context.keeper, if there is one: then a decision costs the nominations that
// changed since the last one of its kind, and a pass over one byte a row.

#include <vector>

#include "engine/framework/evaluation/rows/row_filter.h"
#include "engine/framework/kept/kept_rows.h"

namespace berth::framework {

// One thread, that which owns the model.
class NominatedOverlay {
 public:
  // All of it outlives the object; `calls` is the context of its thread.
  NominatedOverlay(const model::Cluster& cluster, host::CallContext& calls, RowFilter& filter)
      : cluster_(cluster), filter_(filter), changed_(cluster, calls) {}

  // Replaces the verdicts of those rows of [begin, end) that have nominations that count. The
  // result has the verdicts of the unchanged rows.
  void apply(const DecisionContext& context, model::Row begin, model::Row end,
             SearchResult& result);

 private:
  void find_followers(const DecisionContext& context);
  RowVerdict check(const DecisionContext& context, model::Row row, RowVerdict without);
  bool keep(const DecisionContext& context, model::Row row, const SearchResult& result,
            NominatedVerdicts& kept);
  void check_all(const DecisionContext& context, model::Row begin, model::Row end,
                 SearchResult& result);
  void apply_kept(const DecisionContext& context, model::Row begin, model::Row end,
                  SearchResult& result, KeptRows& kept);
  bool check_block(const DecisionContext& context, model::Row begin, model::Row end, uint64_t seen,
                   const SearchResult& result, KeptRows& kept);

  const model::Cluster& cluster_;
  RowFilter& filter_;
  ChangedRow changed_;
  const Profile* profile_ = nullptr;  // of follows_
  uint64_t resolution_ = 0;           // the same
  std::vector<bool> follows_;         // by filter: its verdict may change with the pods
};

}  // namespace berth::framework
