#pragma once

// The verdicts of those filters of a ranking that are asked by row, one for each row, and the rows
// that they leave open. One thread at a time.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/ranking/rows/class_rows.h"
#include "engine/model/columns/row_shifts.h"

namespace berth::framework {

// Makes room for whole blocks. A row that comes later at the place of one that is gone has no
// verdict yet.
inline void make_room(std::vector<uint8_t>& by_row, model::Row rows) {
  static_assert(kFeasible == 0);
  by_row.resize(block_end(rows));
  std::fill(by_row.begin() + rows, by_row.end(), uint8_t{0});
}

class OwnVerdicts {
 public:
  void resize(model::Row rows) {
    make_room(refuser_, rows);
    make_room(code_, rows);
    open_.resize(block_end(rows) / kBlock);
  }
  // True if the row became open, or closed.
  [[nodiscard]] bool set(model::Row row, Refuser refuser, uint8_t code) {
    const bool was = bit(open_, row), is = refuser == kFeasible;
    if (refuser_[row] != kFeasible && code_[row] == BERTH_ERROR) --errors_;
    if (!is && code == BERTH_ERROR) ++errors_;
    refuser_[row] = refuser;
    code_[row] = code;
    if (was == is) return false;
    open_[row / kBlock] ^= uint64_t{1} << row % kBlock;
    open_rows_ += is ? 1u : UINT32_MAX;
    return true;
  }
  // To be called when many were written to the arrays: what is counted follows.
  void count(model::Row rows);
  // Rows move (model/columns/row_shifts.h). A row that comes has no verdict. Followed by count().
  void move(const model::RowShift& shift, model::BlockBits& differ);

  // By row.
  Refuser* refusers() { return refuser_.data(); }
  const Refuser* refusers() const { return refuser_.data(); }
  uint8_t* codes() { return code_.data(); }
  const uint8_t* codes() const { return code_.data(); }

  const RowBits& open() const { return open_; }
  uint32_t open_rows() const { return open_rows_; }
  bool any_error() const { return errors_ != 0; }  // a filter answered ERROR for some row
  size_t bytes() const {
    return refuser_.capacity() + code_.capacity() + open_.capacity() * sizeof(uint64_t);
  }

 private:
  std::vector<Refuser> refuser_;
  std::vector<uint8_t> code_;
  RowBits open_;
  uint32_t open_rows_ = 0;
  uint32_t errors_ = 0;  // rows
};

}  // namespace berth::framework
