#pragma once

// The rows of each class as bits, and how many of them are open: a class that is refused, or no
// longer, changes no row.

#include <array>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/ranking/rows/row_classes.h"

namespace berth::framework {

// A word for each block of 64 rows, a bit for each row.
using RowBits = std::vector<uint64_t>;
inline bool bit(const RowBits& bits, model::Row row) {
  return (bits[row / 64] >> row % 64 & 1) != 0;
}

class ClassRows {
 public:
  // Takes all rows from the classes; those of no class come later, with move().
  void build(const RowClasses& classes, model::Row rows);
  // Takes the rows of these blocks again: rows have other numbers, and in other blocks no class
  // differs.
  void build(const RowClasses& classes, model::Row rows, const model::BlockBits& blocks);
  // Makes room for rows and classes that were added.
  void grow(const RowClasses& classes, model::Row rows);
  // The row was in class `was`, RowClasses::kNone if in none, and is in `now`.
  void move(model::Row row, RowClass was, RowClass now, bool open);
  // Counts the open rows.
  void count(const RowBits& open);
  // A row of the class became open, or closed.
  void add(RowClass of, bool open) { open_[of] += open ? 1u : UINT32_MAX; }

  // The number of open rows of the classes, given as bits.
  uint32_t open_in(uint64_t classes) const;
  const uint64_t* words() const { return words_.data(); }  // see FeasibleRows
  uint32_t stride() const { return stride_; }
  size_t bytes() const { return words_.capacity() * sizeof(uint64_t); }

 private:
  void take_block(const RowClasses& classes, uint32_t block);
  uint64_t& word(model::Row row, RowClass of) { return words_[row / 64 * size_t{stride_} + of]; }

  uint32_t stride_ = 1;
  std::vector<uint64_t> words_;
  std::array<uint32_t, RowClasses::kMost> open_{};
};

}  // namespace berth::framework
