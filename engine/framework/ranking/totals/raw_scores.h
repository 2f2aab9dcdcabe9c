#pragma once

// The raw scores of one hook, by row.
//
// With many kinds of pods a decision waits for memory more than it computes: each kind has scores
// of its own, and the rows that changed since its last decision are all over them. While all scores
// are 0, as those of taints that no node has, they take no memory. Then scores that count as they
// are, which are in 0..100, take a byte; a score that does not fit makes all of them wide, and wide
// they stay. Scores that are normalised are wide from the first one that is not 0.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// Belongs to one thread at a time. Arrays have resize()'s number of elements.
class RawScores {
 public:
  explicit RawScores(bool wide = false) : wide_first_(wide) {}

  // True: all scores are 0, and there is no array. They may be 0 all the same if not.
  bool zero() const { return form_ == Form::kZero; }
  int64_t operator[](model::Row row) const {
    return form_ == Form::kNarrow ? narrow_[row] : zero() ? 0 : wide_[row];
  }
  // Null: the scores are of another form.
  const uint8_t* narrow() const { return form_ == Form::kNarrow ? narrow_.data() : nullptr; }
  const int64_t* wide() const { return form_ == Form::kWide ? wide_.data() : nullptr; }

  // Reads the score ahead into the processor's cache.
  void prefetch(model::Row row) const {
    if (form_ == Form::kNarrow) __builtin_prefetch(&narrow_[row]);
    if (form_ == Form::kWide) __builtin_prefetch(&wide_[row]);
  }

  void resize(size_t rows);
  void set(model::Row row, int64_t raw) {
    if (raw == 0 && zero()) return;
    make_array();
    if (form_ == Form::kNarrow && !fits(raw)) widen();
    if (form_ == Form::kWide) {
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
  enum class Form : uint8_t { kZero, kNarrow, kWide };

  static bool fits(int64_t raw) { return raw >= 0 && raw <= UINT8_MAX; }
  void make_array();
  void widen();

  bool wide_first_;
  Form form_ = Form::kZero;
  size_t rows_ = 0;
  std::vector<uint8_t> narrow_;  // one of the two is empty, or both are
  std::vector<int64_t> wide_;
};

}  // namespace berth::framework
