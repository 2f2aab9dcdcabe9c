#pragma once

// The loops over rows of the full evaluation. Each is exact and has no branches per row, so that
// the compiler makes vector code of it, for several instruction sets with the choice at run time.

#include <cstddef>
#include <cstdint>

#include "engine/framework/evaluation/search_result.h"

namespace berth::framework {

// A filter's verdicts come in: rows that nobody refused yet get `refuser` where the verdict is not
// success.
void refuse(const uint8_t* verdicts, Refuser refuser, Refuser* refusers, uint8_t* codes,
            size_t count);
size_t count_feasible(const Refuser* refusers, size_t count);
bool any_error(const Refuser* refusers, const uint8_t* codes, size_t count);

// Expands answers by dictionary code to rows.
void expand(const uint32_t* codes, const uint8_t* answers, uint8_t* out, size_t count);
void expand(const uint32_t* codes, const int64_t* answers, int64_t* out, size_t count);

struct Extremes {
  int64_t minimum = INT64_MAX;  // above maximum: nothing is scored
  int64_t maximum = INT64_MIN;
  bool unscored = false;  // a feasible row is BERTH_NOT_SCORED
};
// Over feasible rows: those whose totals, which have begun, are above kLowestTotal.
void extremes(const int64_t* raw, const int64_t* total, size_t count, Extremes& so_far);
// The same over all rows, which is less work. Where these are equal, so are those of any of them.
void extremes_of_all(const int64_t* raw, size_t count, Extremes& so_far);

// Totals before any score comes in: 0, and of refused rows kRefusedTotal, which whatever the
// functions below add leaves far below those that count.
void begin_totals(const Refuser* refusers, int64_t* total, size_t count);

// total += weight * raw, for scores that need no normalising. Takes scores of feasible rows that
// are not in 0..100, or not scored at all, for others: false if there may be some, and then the
// same call with -weight takes everything back.
bool add_raw(const int64_t* raw, int64_t weight, int64_t* total, size_t count);
// total += weight * final, elementwise, `final` by one of the ABI's kinds of normalising (not the
// plugin's own); all rows, what comes out for refused ones means nothing. Precondition: the
// extremes were checked, so that final scores are in 0..100, and minimum <= maximum.
void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t weight,
                    int64_t* final, int64_t* total, size_t count);
void add_constant(int64_t value, int64_t* total, size_t count);

// The highest of each 64 totals, the last of what is left; (count + 63) / 64 of them.
inline constexpr size_t kTotalBlock = 64;
void highest_of_blocks(const int64_t* total, size_t count, int64_t* highest);
size_t count_equal(const int64_t* total, int64_t value, size_t count);

}  // namespace berth::framework
