#pragma once

// The rows whose totals may differ since totals were brought up to date last, and the blocks that
// have to be looked at again.
//
// Rows and blocks are lists beside marks: a row, and a block, is in its list if it is marked, and
// once. A row can be touched without its block: its total may stay.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/ranking/rows/class_rows.h"

namespace berth::framework {

// One thread at a time.
class TouchedRows {
 public:
  // Makes room for this many blocks; lists grow without allocation up to all blocks, and to
  // `usual_rows` rows. Precondition: blocks that go are not touched.
  void resize(size_t blocks, size_t usual_rows) {
    is_touched_.resize(blocks);
    block_is_touched_.resize(blocks);
    blocks_.reserve(blocks);
    rows_.reserve(usual_rows);
  }
  // False: the row was touched already.
  bool touch(model::Row row) {
    uint64_t& word = is_touched_[row / kBlock];
    const uint64_t mask = uint64_t{1} << row % kBlock;
    if ((word & mask) != 0) return false;
    word |= mask;
    rows_.push_back(row);
    return true;
  }
  void touch_block(uint32_t block) {
    if (block_is_touched_[block]) return;
    block_is_touched_[block] = true;
    blocks_.push_back(block);
  }
  void touch_blocks_of_rows() {
    for (const model::Row row : rows_) touch_block(row / kBlock);
  }
  void clear() {
    for (const uint32_t block : blocks_) {
      BERTH_ASSERT(block < block_is_touched_.size());
      block_is_touched_[block] = false;
    }
    for (const model::Row row : rows_)
      if (row / kBlock < is_touched_.size()) is_touched_[row / kBlock] = 0;
    rows_.clear();
    blocks_.clear();
  }

  bool empty() const { return rows_.empty() && blocks_.empty(); }
  const std::vector<model::Row>& rows() const { return rows_; }    // each once
  const std::vector<uint32_t>& blocks() const { return blocks_; }  // each once

 private:
  std::vector<model::Row> rows_;
  RowBits is_touched_;
  std::vector<uint32_t> blocks_;
  std::vector<bool> block_is_touched_;
};

}  // namespace berth::framework
