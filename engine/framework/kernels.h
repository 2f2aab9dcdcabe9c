#pragma once

// The loops over rows of the full evaluation. Each is exact and has no branches per row, so that
// the compiler makes vector code of it, for several instruction sets with the choice at run time.

#include <cstddef>
#include <cstdint>

#include "engine/framework/window.h"

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
// Over feasible rows.
void extremes(const int64_t* raw, const Refuser* refusers, size_t count, Extremes& so_far);

// total += weight * final, elementwise, `final` by one of the ABI's kinds of normalising (not the
// plugin's own); all rows, what comes out for refused ones means nothing. Precondition: the
// extremes were checked, and minimum <= maximum.
void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t weight,
                    int64_t* final, int64_t* total, size_t count);
void add_constant(int64_t value, int64_t* total, size_t count);
void add_weighted(const int64_t* final, int64_t weight, int64_t* total, size_t count);

// The highest total among feasible rows, INT64_MIN if there are none, and how many have it.
int64_t highest(const int64_t* total, const Refuser* refusers, size_t count);
size_t count_equal(const int64_t* total, const Refuser* refusers, int64_t value, size_t count);

}  // namespace berth::framework
