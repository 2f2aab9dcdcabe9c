#pragma once

// The verdicts of rows with nominated pods, kept by row for pods of one kind, so that a decision
// checks again only the rows of which something changed.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/kept/row_versions.h"

namespace berth::framework {

class NominatedVerdicts {
 public:
  // Makes room for all rows of the versions.
  void resize(size_t rows);
  // True if a verdict of the block may be stale.
  bool stale(const RowVersions& versions, size_t block) const {
    return versions.blocks()[block] > checked_[block];
  }
  // The version up to which the verdicts of the block hold; they are complete if it is not stale.
  uint64_t checked(size_t block) const { return checked_[block]; }
  void set_checked(size_t block, uint64_t version) { checked_[block] = version; }

  // The row has no nomination that counts: the verdict without nominations holds.
  void clear(model::Row row) { counts_[row] = 0; }
  void set(model::Row row, Refuser refuser, uint8_t code) {
    counts_[row] = 1;
    refuser_[row] = refuser;
    code_[row] = code;
  }
  // Writes the verdicts of the rows [begin, end) with nominations that count to the result.
  // Precondition: no block of these rows is stale, or its rows there were set.
  void write(model::Row begin, model::Row end, SearchResult& result) const;

 private:
  // By row. counts_: 1 if the row has a nomination that counts; the others are its verdict.
  std::vector<uint8_t> counts_;
  std::vector<Refuser> refuser_;
  std::vector<uint8_t> code_;
  std::vector<uint64_t> checked_;  // by block
};

}  // namespace berth::framework
