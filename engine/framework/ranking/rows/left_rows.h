#pragma once

// The rows that changed and about which a ranking has not asked yet.
//
// A search that ends early begins where the one before ended, so the node that took the last pod is
// not looked at again before the searches have gone around the cluster. Until a search comes to one
// of them, changed rows are left as they are; then the hooks are asked about all of them at once,
// in a call that costs little more than one about a single row.
//
// A ranking knows an earlier state of such a row. That state is part of the number of feasible
// rows, of extremes, and of the best totals of the row's block. No decision follows from these
// alone. The rows that a search took, and the one at which it stopped, are not left. Totals are
// normalised with the extremes of the rows that the search took. Of a block that it took in part,
// it reads its rows.

#include <algorithm>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// One thread at a time.
class LeftRows {
 public:
  // More rows are never left: a search compares each of them.
  static constexpr size_t kMost = 64;

  LeftRows() { rows_.reserve(kMost); }  // so that decisions do not allocate

  // No row is left of the changes before this position of the change log.
  void clear(uint64_t position) {
    noted_ = position;
    rows_.clear();
  }
  // Notes the rows that changed since the last call. False: they would be more than `most`, or
  // something changed that belongs to no single row, so that all changes have to be taken now.
  // Precondition: most <= kMost.
  [[nodiscard]] bool note(RowChanges& changes, const model::Cluster& cluster, size_t most) {
    BERTH_ASSERT(most <= kMost);
    const bool known =
        changes.read(cluster.nodes(), cluster.log(), noted_) && changes.rows_are_named();
    if (!known || rows_.size() + changes.named() > most) return false;
    noted_ = cluster.log().end();
    changes.for_each_named([&](model::Row row) { rows_.push_back(row); });
    return true;
  }
  // Position in the change log up to which rows are noted.
  uint64_t noted() const { return noted_; }
  // True if a search among all `rows` rows read one that is left: one that it took, or the one at
  // which it stopped. Precondition: it took one.
  bool any_in(const SearchResult& found, model::Row rows) const {
    BERTH_ASSERT(!found.pieces.empty());
    const model::Row end = found.pieces.back().second, stop = end == rows ? 0 : end;
    return std::ranges::any_of(rows_, [&](model::Row row) {
      return row == stop ||
             std::ranges::any_of(found.pieces, [&](const SearchResult::Piece& piece) {
               return row >= piece.first && row < piece.second;
             });
    });
  }
  size_t bytes() const { return rows_.capacity() * sizeof(model::Row); }

 private:
  uint64_t noted_ = 0;
  std::vector<model::Row> rows_;  // some of them twice
};

}  // namespace berth::framework
