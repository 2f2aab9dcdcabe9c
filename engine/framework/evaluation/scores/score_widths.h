#pragma once

// Scores in narrower types, and back, and their range. Loops as those of kernels.h: arrays have
// `count` elements and must not overlap.

#include <cstddef>
#include <cstdint>

namespace berth::framework {

// True if all scores are 0, so that they need no array.
[[nodiscard]] bool all_zero(const int64_t* raw, size_t count);
// Copies scores to a narrower type. False: some do not fit, and `out` is unspecified.
[[nodiscard]] bool shorten(const int64_t* raw, uint8_t* out, size_t count);
[[nodiscard]] bool shorten(const int64_t* raw, int16_t* out, size_t count);
[[nodiscard]] bool shorten(const int64_t* raw, int32_t* out, size_t count);

// True if all scores are in 0..100.
[[nodiscard]] bool all_in_range(const int64_t* raw, size_t count);
[[nodiscard]] bool all_in_range(const uint8_t* raw, size_t count);

void lengthen(const uint8_t* raw, int64_t* out, size_t count);
void lengthen(const int16_t* raw, int64_t* out, size_t count);
void lengthen(const int32_t* raw, int64_t* out, size_t count);

}  // namespace berth::framework
