#pragma once

// The raw scores of one hook, by row.
//
// With many kinds of pods a decision waits for memory more than it computes: each kind has scores
// of its own, and the rows that changed since its last decision are all over them. So scores take
// the narrowest type that holds all of them: while all are 0, as those of taints that no node has,
// no memory; then a byte if they are in 0..255, as all that count as they are; else 16, 32 or 64
// bits. A score that does not fit makes all of them wider, and so wide they stay.

#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/evaluation/scores/kernels.h"
#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// Belongs to one thread at a time. Arrays have resize()'s number of elements.
class RawScores {
 public:
  // True: all scores are 0, and there is no array. They may be 0 all the same if not.
  bool zero() const { return std::holds_alternative<Zeros>(scores_); }
  int64_t operator[](model::Row row) const {
    if (const Bytes* bytes = std::get_if<Bytes>(&scores_)) [[likely]]
      return (*bytes)[row];
    return visit([row](const auto& scores) -> int64_t { return scores[row]; },
                 []() -> int64_t { return 0; });
  }
  // Precondition: !zero(). Valid until a score is set, or the number of rows.
  ScoreArray by_row() const;
  // Null: the scores are narrower.
  const int64_t* wide() const {
    const auto* scores = std::get_if<std::vector<int64_t>>(&scores_);
    return scores == nullptr ? nullptr : scores->data();
  }
  // The scores of rows [begin, end) in 64 bits, the first one at place 0: they are where they are
  // kept, or are written to `room`.
  const int64_t* wide(model::Row begin, model::Row end, int64_t* room) const;
  // Writes them there in any case.
  void write(model::Row begin, model::Row end, int64_t* out) const;
  // The extremes of the rows of a block whose bit is set. Precondition: the number of rows is a
  // multiple of a block's.
  Extremes extremes(uint32_t block, uint64_t rows) const;

  // Reads the score ahead into the processor's cache.
  void prefetch(model::Row row) const {
    visit([row](const auto& scores) { __builtin_prefetch(&scores[row]); }, [] {});
  }

  void resize(size_t rows);
  void set(model::Row row, int64_t raw) {
    Bytes* const bytes = std::get_if<Bytes>(&scores_);
    if (bytes != nullptr && raw >= 0 && raw <= UINT8_MAX) [[likely]] {
      (*bytes)[row] = static_cast<uint8_t>(raw);
    } else {
      set_all(row, {&raw, 1});
    }
  }
  // Takes over the scores of rows [begin, begin + raw.size()).
  void set_all(model::Row begin, std::span<const int64_t> raw);
  // Takes over the scores of these rows, in turn.
  void set_some(std::span<const model::Row> rows, std::span<const int64_t> raw);
  // True if the scores of rows [0, rows) are in 0..100.
  bool in_range(model::Row rows) const;
  // True if some score of rows [begin, begin + raw.size()) is another.
  bool differ(model::Row begin, std::span<const int64_t> raw) const;
  void move(const model::RowShift& shift, model::BlockBits& differ);
  size_t bytes() const;

 private:
  using Zeros = std::monostate;
  using Bytes = std::vector<uint8_t>;  // what most scores fit, so that it is asked for first

  // Calls `array` with the array of scores, or `zeros` if there is none.
  template <typename Array, typename OfZeros>
  std::invoke_result_t<OfZeros> visit(Array&& array, OfZeros&& zeros) const {
    return std::visit(
        [&]<typename Scores>(const Scores& scores) {
          if constexpr (std::is_same_v<Scores, Zeros>) {
            return zeros();
          } else {
            return array(scores);
          }
        },
        scores_);
  }
  bool put(model::Row begin, std::span<const int64_t> raw);
  bool put(std::span<const model::Row> rows, std::span<const int64_t> raw);
  void make_room(std::span<const int64_t> raw);
  template <typename Score>
  void widen();

  size_t rows_ = 0;
  // Each type holds all that those before it hold.
  std::variant<Zeros, Bytes, std::vector<int16_t>, std::vector<int32_t>, std::vector<int64_t>>
      scores_;
};

}  // namespace berth::framework
