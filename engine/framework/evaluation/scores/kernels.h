#pragma once

// The loops over rows of the full evaluation. Each is exact and has no branches per row, so that
// the compiler vectorises it, for several instruction sets with the choice at run time
// (base/vectorise.h).
//
// Arrays have `count` elements, one per row, and must not overlap. Kernels may be called from
// several threads on different rows.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/evaluation/scores/normalise.h"

namespace berth::framework {

// Applies a filter's verdicts: a row that no filter has refused yet gets `refuser` and the
// verdict's code if the verdict is not BERTH_SUCCESS.
void refuse(const uint8_t* verdicts, Refuser refuser, Refuser* refusers, uint8_t* codes,
            size_t count);
// Where `classes` is `of`, the verdict of the class (`refuser`, kFeasible if it refuses nothing,
// and `code`) and that of the row (`own`, `own_code`) become one: the filter that comes first
// counts.
void settle_class(const RowClass* classes, RowClass of, Refuser refuser, uint8_t code,
                  const Refuser* own, const uint8_t* own_code, Refuser* refusers, uint8_t* codes,
                  size_t count);
// Number of rows that no filter refused; true if a row's code is BERTH_ERROR.
size_t count_feasible(const Refuser* refusers, size_t count);
[[nodiscard]] bool any_error(const Refuser* refusers, const uint8_t* codes, size_t count);

// A bit for each of 64 bytes that is `value`.
uint64_t equal_bits(const uint8_t* bytes, uint8_t value);
// A bit for each of 64 rows that no filter refused.
inline uint64_t feasible_bits(const Refuser* refusers) { return equal_bits(refusers, kFeasible); }
// The same for all rows, a word for each 64; the bits after the last row are 0. Returns the number
// of feasible rows. `refusers` has (count + 63) / 64 * 64 readable elements.
uint32_t mark_feasible(const Refuser* refusers, size_t count, uint64_t* words);
// Where `replaces` is 1, and not 0, `to` gets the value of `from`.
void replace(const uint8_t* replaces, const uint8_t* from, uint8_t* to, size_t count);

// Expands answers by dictionary code to rows: out[i] = answers[codes[i]].
void expand(const uint32_t* codes, const uint8_t* answers, uint8_t* out, size_t count);
void expand(const uint32_t* codes, const int64_t* answers, int64_t* out, size_t count);

struct Extremes {
  int64_t minimum = INT64_MAX;  // above maximum: nothing is scored
  int64_t maximum = INT64_MIN;
  bool unscored = false;  // a feasible row is BERTH_NOT_SCORED

  bool operator==(const Extremes&) const = default;
  // Makes them those of the rows of both.
  void add(const Extremes& more) {
    minimum = std::min(minimum, more.minimum);
    maximum = std::max(maximum, more.maximum);
    unscored |= more.unscored;
  }
};
// Adds the scores of feasible rows to `so_far`. A row is feasible if its total is above
// kLowestTotal; requires begin_totals().
void extremes(const int64_t* raw, const int64_t* total, size_t count, Extremes& so_far);
// The same over all rows, which costs less. If the minimum and maximum of all rows are equal, so
// are those of the feasible rows.
void extremes_of_all(const int64_t* raw, size_t count, Extremes& so_far);
// Of a block of 64 rows: the extremes of those whose bit is set. `raw` has 64 readable elements.
Extremes extremes_of(const int64_t* raw, uint64_t rows);
Extremes extremes_of(const uint8_t* raw, uint64_t rows);

// Sets the totals before the first score: 0 for feasible rows, kRefusedTotal for refused ones. The
// functions below add to both; the totals of refused rows stay far below those that count.
void begin_totals(const Refuser* refusers, int64_t* total, size_t count);

// total += weight * raw, for scores that need no normalising. Scores outside of 0..100, and
// BERTH_NOT_SCORED, are replaced by a number within. Returns false if a feasible row may have such
// a score; the same call with -weight then restores the totals.
[[nodiscard]] bool add_raw(const int64_t* raw, int64_t weight, int64_t* total, size_t count);
// Scores are reduced to these bits before they are multiplied by the weight, so none adds more than
// so many times its weight. Valid scores do not change, and the unspecified scores of refused rows
// stay small.
inline constexpr int64_t kScoreBits = 127;
static_assert(kHighestScore <= kScoreBits);
// The same for totals that are kept, and scores of which all feasible ones are known to be in
// range. Precondition: the sum fits a total.
void add_raw(const uint8_t* raw, KeptTotal weight, KeptTotal* total, size_t count);
void add_raw(const int16_t* raw, KeptTotal weight, KeptTotal* total, size_t count);
void add_raw(const int32_t* raw, KeptTotal weight, KeptTotal* total, size_t count);
void add_raw(const int64_t* raw, KeptTotal weight, KeptTotal* total, size_t count);
// Sets all totals to `value`.
void fill_totals(KeptTotal value, KeptTotal* total, size_t count);
// Computes `final` by one of the ABI's kinds of normalising (not the plugin's own), and total +=
// weight * final. Final scores of refused rows are unspecified. Precondition: the extremes were
// checked (host::Score::check_extremes), so that final scores are in 0..100, and minimum <=
// maximum.
void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t weight,
                    int64_t* final, int64_t* total, size_t count);
// The same for totals that are kept. Without the precondition, totals are unspecified.
void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, KeptTotal weight,
                    KeptTotal* total, size_t count);
// A sum that does not fit wraps around.
void add_constant(int64_t value, int64_t* total, size_t count);

// The highest total of the rows whose bit is set, and the number of rows that have it; 0 rows if no
// bit is set. `total` has 64 readable elements. With `classes`, one result for each of `count`
// classes.
BlockBest best_of(const KeptTotal* total, uint64_t rows);
void best_of(const KeptTotal* total, const RowClass* classes, uint64_t rows, BlockBest* best,
             uint32_t count);
// The same for each of `count` blocks of 64 rows that follow each other, with a word of bits each.
void best_of_blocks(const KeptTotal* total, const uint64_t* rows, size_t count, BlockBest* best);

// highest[b] = the highest total of rows [64 * b, 64 * b + 63], as far as they exist. `highest` has
// (count + 63) / 64 elements.
inline constexpr size_t kTotalBlock = 64;
inline constexpr size_t kTotalGroup = 64;  // blocks of which the best total is kept, too
void highest_of_blocks(const int64_t* total, size_t count, int64_t* highest);
size_t count_equal(const int64_t* total, int64_t value, size_t count);
// A bit for each of 64 totals that is `value`.
uint64_t equal_bits(const int64_t* total, int64_t value);
uint64_t equal_bits(const KeptTotal* total, int64_t value);
// Counts the totals that are `value`, among those of 64 rows whose bit is set.
uint32_t count_equal(const KeptTotal* total, int64_t value, uint64_t rows);
// Passes rows of [begin, end), at most `most` of them whose bit is set, which are taken from it.
// Returns the next one whose bit is set, or `end`. `words` has a bit for each row.
model::Row pass_rows(const uint64_t* words, model::Row begin, model::Row end, uint32_t& most);

}  // namespace berth::framework
