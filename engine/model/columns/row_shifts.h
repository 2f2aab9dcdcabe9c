#pragma once

// The moves of rows when a node comes or goes, for the node table and for everything else that has
// a value for each row.
//
// A node that comes takes a row, and every row behind it is one higher. A node that goes leaves a
// row to the next node of its zone, which leaves its own to the one after that, and so on: rows of
// other zones between them stay. Behind the last node of the zone every row is one lower. These
// rows, in order, are the chain of the shift: each takes the value of the next.
//
// Among n rows in z zones of equal size a chain has at most n / z rows, at a stride of z, which are
// read and written where they are. A permutation of all rows reads and writes n of them twice.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::model {

using Row = uint32_t;
inline constexpr Row kNoRow = UINT32_MAX;

// Rows first, first + stride ...; at least one.
struct RowRun {
  Row first;
  uint32_t stride;
  uint32_t count;

  Row last() const { return first + (count - 1) * stride; }
};

// One node comes or goes.
struct RowShift {
  bool comes = false;
  Row at = 0;                 // the row that it takes, or leaves
  Row rows = 0;               // number of rows before
  uint32_t node = 0;          // its slot
  std::vector<RowRun> chain;  // of a node that goes: ascending, from `at` to the last row

  // The row that has the values of a row afterwards; kNoRow: its node goes.
  Row moved(Row row) const;
};

// The changes of rows from one order to the next.
struct Renumbering {
  Row before = 0, after = 0;  // number of rows
  Row most = 0;               // on the way
  // First, rows from `before` on go. Then these happen, one after the other. A node that goes and
  // comes again is a new one.
  std::vector<RowShift> shifts;
};

// A bit for each block of 64 rows.
using BlockBits = std::vector<uint64_t>;
inline void mark(BlockBits& blocks, Row row) { blocks[row / 4096] |= uint64_t{1} << row / 64 % 64; }
inline bool marked(const BlockBits& blocks, Row row) {
  return (blocks[row / 4096] >> row / 64 % 64 & 1) != 0;
}
// Makes room for the blocks of so many rows; no bit is set.
inline void clear(BlockBits& blocks, Row rows) { blocks.assign(rows / 4096 + 1, 0); }
// Calls visit(block) for each bit that is set.
template <typename Visit>
void for_each_block(const BlockBits& blocks, Visit&& visit) {
  for (uint32_t word = 0; word < blocks.size(); ++word)
    for (uint64_t left = blocks[word]; left != 0; left &= left - 1)
      visit(word * 64 + static_cast<uint32_t>(__builtin_ctzll(left)));
}

// Move values by row, which have room for shift.rows + 1. The value at shift.at of a node that
// comes, and the last one of a node that goes, are unspecified. Marks the blocks in which values
// differ afterwards.
void apply(const RowShift& shift, uint8_t* values, BlockBits& differ);
void apply(const RowShift& shift, uint16_t* values, BlockBits& differ);
void apply(const RowShift& shift, uint32_t* values, BlockBits& differ);
void apply(const RowShift& shift, uint64_t* values, BlockBits& differ);
inline void apply(const RowShift& shift, int16_t* values, BlockBits& differ) {
  apply(shift, reinterpret_cast<uint16_t*>(values), differ);
}
inline void apply(const RowShift& shift, int32_t* values, BlockBits& differ) {
  apply(shift, reinterpret_cast<uint32_t*>(values), differ);
}
inline void apply(const RowShift& shift, int64_t* values, BlockBits& differ) {
  apply(shift, reinterpret_cast<uint64_t*>(values), differ);
}
// The same for bits, 64 rows a word. The bit at shift.at of a node that comes, and the last one of
// a node that goes, are 0 afterwards.
void apply_to_bits(const RowShift& shift, uint64_t* words);

}  // namespace berth::model
