#pragma once

// The open rows (verdicts.h) as the totals know them, and how they follow the verdicts. Where
// classes of filters are not told apart (TotalClasses::knows_filters), rows of refused classes
// count as closed.

#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/ranking/rows/class_rows.h"
#include "engine/framework/ranking/rows/row_log.h"
#include "engine/model/columns/row_shifts.h"

namespace berth::framework {

// One thread at a time.
class OpenRows {
 public:
  void resize(size_t blocks) { open_.resize(blocks); }
  void move(const model::RowShift& shift) { apply_to_bits(shift, open_.data()); }
  // Other rows may count as open: follow() looks at all.
  void forget() { seen_ = {}; }

  // The feasible rows of the present verdicts. Call before follow(). They point into the verdicts,
  // and are valid until these change.
  void set_now(const FeasibleRows& now) { now_ = now; }
  const FeasibleRows& now() const { return now_; }
  // Takes over the rows that became open or closed. Calls flip(block, rows) where some did, with
  // their bits. False: there are none. `flips`: the log of these verdicts. `whole`: classes are not
  // told apart. `moved`: some rows are in another class.
  template <typename Flip>
  bool follow(const RowLog& flips, bool whole, bool moved, Flip&& flip);

  size_t blocks() const { return open_.size(); }
  uint64_t operator[](size_t block) const { return open_[block]; }
  const RowBits& bits() const { return open_; }
  size_t bytes() const { return open_.capacity() * sizeof(uint64_t); }

 private:
  FeasibleRows now_;
  RowBits open_;
  uint64_t refused_ = 0;  // classes at the last follow()
  RowLogPosition seen_;   // in the log of flips
};

template <typename Flip>
bool OpenRows::follow(const RowLog& flips, bool whole, bool moved, Flip&& flip) {
  bool flipped = false;
  const auto differ = [&](size_t block) {
    return (whole ? now_.word(block) : now_.open[block]) ^ open_[block];
  };
  const auto take = [&](uint32_t block, uint64_t rows) {
    flipped = true;
    open_[block] ^= rows;
    flip(block, rows);
  };
  if (!seen_.follow(flips) || (whole && (moved || refused_ != now_.refused))) {
    for (uint32_t block = 0; block < open_.size(); ++block)
      if (const uint64_t rows = differ(block); rows != 0) take(block, rows);
  } else {
    for (size_t i = seen_.seen; i < flips.rows.size(); ++i) {
      const model::Row row = flips.rows[i];
      const uint64_t mask = uint64_t{1} << row % kBlock;
      if ((differ(row / kBlock) & mask) != 0) take(row / kBlock, mask);
    }
  }
  seen_.reach(flips);
  refused_ = now_.refused;
  return flipped;
}

}  // namespace berth::framework
