#include "engine/model/columns/row_shifts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/vectorise.h"

namespace berth::model {
namespace {

constexpr size_t kBlock = 64;
// Up to this stride a pass over all rows between, with a mask, is cheaper than one by one.
constexpr size_t kWidest = 16;

void mark_block(uint64_t* blocks, size_t row) {
  blocks[row / 4096] |= uint64_t{1} << row / kBlock % 64;
}

// Each row begin + i * stride below `end` takes the value of begin + (i + 1) * stride. Inlined in
// functions that are compiled for several instruction sets.
template <typename T>
[[gnu::always_inline]] inline void close_up(T* values, size_t begin, size_t end, size_t stride,
                                            uint64_t* differ) {
  std::array<T, kBlock + kWidest> moves;
  for (size_t i = 0; i < moves.size(); ++i)
    moves[i] = i % stride == 0 ? static_cast<T>(~T{0}) : T{0};
  std::array<T, kBlock> moved;
  for (size_t first = begin, stop = 0; first < end; first = stop) {
    stop = std::min(end, first / kBlock * kBlock + kBlock);
    const T* mask = moves.data() + (first - begin) % stride;
    T* at = values + first;
    T differs = 0;
    const auto move = [&](size_t i) {
      const T change = static_cast<T>((at[i] ^ at[i + stride]) & mask[i]);
      differs = static_cast<T>(differs | change);
      moved[i] = static_cast<T>(at[i] ^ change);
    };
    if (stop - first == kBlock) {
      for (size_t i = 0; i < kBlock; ++i) move(i);
    } else {
      for (size_t i = 0; i < stop - first; ++i) move(i);
    }
    if (differs == 0) continue;
    std::memcpy(at, moved.data(), (stop - first) * sizeof(T));
    mark_block(differ, first);
  }
}

BERTH_VECTORISE
void close_up_u8(uint8_t* values, size_t begin, size_t end, size_t stride, uint64_t* differ) {
  close_up(values, begin, end, stride, differ);
}
BERTH_VECTORISE
void close_up_u16(uint16_t* values, size_t begin, size_t end, size_t stride, uint64_t* differ) {
  close_up(values, begin, end, stride, differ);
}
BERTH_VECTORISE
void close_up_u32(uint32_t* values, size_t begin, size_t end, size_t stride, uint64_t* differ) {
  close_up(values, begin, end, stride, differ);
}
BERTH_VECTORISE
void close_up_u64(uint64_t* values, size_t begin, size_t end, size_t stride, uint64_t* differ) {
  close_up(values, begin, end, stride, differ);
}

void take(auto* values, size_t to, size_t from, uint64_t* differ) {
  if (values[to] == values[from]) return;
  values[to] = values[from];
  mark_block(differ, to);
}

// Rows [begin, end) take the values of the next.
template <typename T>
void move_down(T* values, size_t begin, size_t end, uint64_t* differ) {
  for (size_t first = begin, stop = 0; first < end; first = stop) {
    stop = std::min(end, first / kBlock * kBlock + kBlock);
    const size_t bytes = (stop - first) * sizeof(T);
    if (std::memcmp(values + first, values + first + 1, bytes) == 0) continue;
    std::memmove(values + first, values + first + 1, bytes);
    mark_block(differ, first);
  }
}

// Rows (begin, end] take the values of the one before.
template <typename T>
void move_up(T* values, size_t begin, size_t end, uint64_t* differ) {
  for (size_t stop = end + 1, first = 0; stop > begin + 1; stop = first) {
    first = std::max(begin + 1, (stop - 1) / kBlock * kBlock);
    const size_t bytes = (stop - first) * sizeof(T);
    if (std::memcmp(values + first, values + first - 1, bytes) == 0) continue;
    std::memmove(values + first, values + first - 1, bytes);
    mark_block(differ, first);
  }
}

template <typename T>
void close_run(T* values, const RowRun& run, uint64_t* differ) {
  if (run.count == 1) return;
  const size_t end = run.last() - run.stride + 1;
  if (run.stride == 1) {
    move_down(values, run.first, end, differ);
  } else if (run.stride > kWidest) {
    for (size_t row = run.first; row < end; row += run.stride)
      take(values, row, row + run.stride, differ);
  } else if constexpr (sizeof(T) == 1) {
    close_up_u8(values, run.first, end, run.stride, differ);
  } else if constexpr (sizeof(T) == 2) {
    close_up_u16(values, run.first, end, run.stride, differ);
  } else if constexpr (sizeof(T) == 4) {
    close_up_u32(values, run.first, end, run.stride, differ);
  } else {
    close_up_u64(values, run.first, end, run.stride, differ);
  }
}

template <typename T>
void apply_to(const RowShift& shift, T* values, BlockBits& differ) {
  if (shift.comes) return move_up(values, shift.at, shift.rows, differ.data());
  for (size_t i = 0; i < shift.chain.size(); ++i) {
    close_run(values, shift.chain[i], differ.data());
    if (i + 1 < shift.chain.size())
      take(values, shift.chain[i].last(), shift.chain[i + 1].first, differ.data());
  }
}

bool bit(const uint64_t* words, size_t row) { return (words[row / 64] >> row % 64 & 1) != 0; }
void set_bit(uint64_t* words, size_t row, bool value) {
  words[row / 64] = (words[row / 64] & ~(uint64_t{1} << row % 64)) | uint64_t{value} << row % 64;
}

// The 64 bits from a row on; those behind `rows` rows may be any.
uint64_t bits_from(const uint64_t* words, size_t row, size_t rows) {
  const size_t word = row / 64;
  if (row >= rows) return 0;
  if (row % 64 == 0) return words[word];
  const uint64_t low = words[word] >> row % 64;
  return (word + 1) * 64 < rows ? low | words[word + 1] << (64 - row % 64) : low;
}

// A word at a time: the rows of a run below `end` take the bits that are `stride` further.
void close_bits(uint64_t* words, const RowRun& run, size_t rows) {
  const size_t end = run.last();
  if (run.stride > kWidest) {
    for (size_t row = run.first; row < end; row += run.stride)
      set_bit(words, row, bit(words, row + run.stride));
    return;
  }
  for (size_t word = run.first / 64; word * 64 < end; ++word) {
    const size_t begin = std::max<size_t>(word * 64, run.first);
    const size_t skipped = (begin - run.first) % run.stride;
    const size_t next = begin + (skipped == 0 ? 0 : run.stride - skipped);
    uint64_t mask = 0;
    for (size_t row = next; row < std::min(end, word * 64 + 64); row += run.stride)
      mask |= uint64_t{1} << row % 64;
    words[word] = (words[word] & ~mask) | (bits_from(words, word * 64 + run.stride, rows) & mask);
  }
}

void open_bits(uint64_t* words, size_t at, size_t rows) {
  for (size_t word = rows / 64; word > at / 64; --word)
    words[word] = words[word] << 1 | words[word - 1] >> 63;
  const uint64_t below = (uint64_t{1} << at % 64) - 1;
  uint64_t& first = words[at / 64];
  first = (first & below) | (first & ~below) << 1;
}

}  // namespace

Row RowShift::moved(Row row) const {
  if (comes) return row < at ? row : row + 1;
  if (row == at) return kNoRow;
  for (size_t i = 0; i < chain.size(); ++i) {
    const RowRun& run = chain[i];
    if (row < run.first || row > run.last()) continue;
    if ((row - run.first) % run.stride != 0) continue;
    return row == run.first ? chain[i - 1].last() : row - run.stride;
  }
  return row;
}

void apply(const RowShift& shift, uint8_t* values, BlockBits& differ) {
  apply_to(shift, values, differ);
}
void apply(const RowShift& shift, uint16_t* values, BlockBits& differ) {
  apply_to(shift, values, differ);
}
void apply(const RowShift& shift, uint32_t* values, BlockBits& differ) {
  apply_to(shift, values, differ);
}
void apply(const RowShift& shift, uint64_t* values, BlockBits& differ) {
  apply_to(shift, values, differ);
}

void apply_to_bits(const RowShift& shift, uint64_t* words) {
  if (shift.comes) {
    open_bits(words, shift.at, shift.rows);
    return;
  }
  for (size_t i = 0; i < shift.chain.size(); ++i) {
    const RowRun& run = shift.chain[i];
    close_bits(words, run, shift.rows);
    if (i + 1 < shift.chain.size())
      set_bit(words, run.last(), bit(words, shift.chain[i + 1].first));
  }
  set_bit(words, shift.rows - 1, false);
}

}  // namespace berth::model
