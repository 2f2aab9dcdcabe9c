#pragma once

// The rows that changed and about which a ranking has not asked yet.
//
// A search that ends early begins where the one before ended, so the node that took the last pod is
// not looked at again before the searches have gone around the cluster. Until a search comes to one
// of them, changed rows are left as they are; then the hooks are asked about all of them at once,
// in a call that costs little more than one about a single row. What the ranking keeps about a row
// that is left is that of an earlier state of the model, in every part of it alike, and no decision
// reads it.

#include <algorithm>
#include <vector>

#include "engine/framework/evaluation/search_result.h"
#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class LeftRows {
 public:
  LeftRows() { rows_.reserve(kUsual); }  // so that decisions do not allocate

  // No row is left of the changes before this position of the change log.
  void clear(uint64_t position) {
    noted_ = position;
    rows_.clear();
  }
  // Notes the rows that changed since the last call. False: more than `most` are left, or something
  // changed that belongs to no single row, so that all changes have to be taken now.
  [[nodiscard]] bool note(RowChanges& changes, const model::Cluster& cluster, size_t most) {
    const bool known =
        changes.read(cluster.nodes(), cluster.log(), noted_) && changes.rows_are_named();
    if (!known) return false;
    noted_ = cluster.log().end();
    changes.for_each_named([&](model::Row row) { rows_.push_back(row); });
    return rows_.size() <= most;
  }
  // Position in the change log up to which rows are noted.
  uint64_t noted() const { return noted_; }
  // True if a search among all `rows` rows read one that is left: one that it took, or the one at
  // which it stopped. Precondition: it took one.
  bool any_in(const SearchResult& found, model::Row rows) const {
    const model::Row end = found.pieces.back().second, stop = end == rows ? 0 : end;
    return std::ranges::any_of(rows_, [&](model::Row row) {
      return row == stop || std::ranges::any_of(found.pieces, [&](const SearchResult::Piece& piece) {
               return row >= piece.first && row < piece.second;
             });
    });
  }
  size_t bytes() const { return rows_.capacity() * sizeof(model::Row); }

 private:
  static constexpr size_t kUsual = 64;

  uint64_t noted_ = 0;
  std::vector<model::Row> rows_;  // some of them twice
};

}  // namespace berth::framework
