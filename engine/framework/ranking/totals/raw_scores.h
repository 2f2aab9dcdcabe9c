#pragma once

// The raw scores of one hook, by row.
//
// With many kinds of pods a decision waits for memory more than it computes: each kind has scores
// of its own, and the rows that changed since its last decision are all over them. Scores that
// count as they are, are in 0..100, so they take a byte; a score that does not fit makes all of
// them wide, and wide they stay. Scores that are normalised are wide from the start.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// Belongs to one thread at a time. Arrays have resize()'s number of elements.
class RawScores {
 public:
  explicit RawScores(bool wide = false) : is_wide_(wide) {}

  int64_t operator[](model::Row row) const { return is_wide_ ? wide_[row] : narrow_[row]; }
  // Null: the scores are wide.
  const uint8_t* narrow() const { return is_wide_ ? nullptr : narrow_.data(); }
  // Null: they are narrow.
  const int64_t* wide() const { return is_wide_ ? wide_.data() : nullptr; }

  // Reads the score ahead into the processor's cache.
  void prefetch(model::Row row) const {
    __builtin_prefetch(is_wide_ ? static_cast<const void*>(&wide_[row]) : &narrow_[row]);
  }

  void resize(size_t rows);
  void set(model::Row row, int64_t raw) {
    if (!is_wide_ && !fits(raw)) widen();
    if (is_wide_) {
      wide_[row] = raw;
    } else {
      narrow_[row] = static_cast<uint8_t>(raw);
    }
  }
  // Takes over the scores of rows [begin, begin + raw.size()).
  void set_all(model::Row begin, std::span<const int64_t> raw);
  // Takes over the scores of these rows, in turn.
  void set_some(std::span<const model::Row> rows, std::span<const int64_t> raw);
  // Writes the scores of rows [begin, end) to by_row[begin] and on.
  void write(model::Row begin, model::Row end, int64_t* by_row) const;
  // True if some score of rows [begin, begin + raw.size()) is another.
  bool differ(model::Row begin, std::span<const int64_t> raw) const;
  void move(const model::RowShift& shift, model::BlockBits& differ);
  size_t bytes() const { return narrow_.capacity() + wide_.capacity() * sizeof(int64_t); }

 private:
  static bool fits(int64_t raw) { return raw >= 0 && raw <= UINT8_MAX; }
  void widen();

  bool is_wide_;
  std::vector<uint8_t> narrow_;  // one of the two is empty
  std::vector<int64_t> wide_;
};

}  // namespace berth::framework
