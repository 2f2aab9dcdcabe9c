#pragma once

// Integer arithmetic as kube-scheduler does it (Go: int64 wraps, division truncates), and the same
// by doubles where that is exact and lets the compiler use vectors.

#include <bit>
#include <cstdint>

// In front of a function with a loop over columns: built for each of these instruction sets, the
// best that the processor has is called. Not with sanitizers, whose run-time does not stand the
// choice at load.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && defined(__GNUC__) && !defined(__clang__)
#define BERTH_SDK_VECTORISE \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BERTH_SDK_VECTORISE
#endif

namespace berth::sdk {

inline int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t wrapping_subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
inline int64_t wrapping_multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
// Requires b != 0.
inline int64_t wrapping_divide(int64_t a, int64_t b) {
  return b == -1 ? wrapping_subtract(0, a) : a / b;
}

// Whole numbers up to here convert exactly by `small_to_double`.
inline constexpr int64_t kSmall = (int64_t{1} << 52) - 1;

// The same number. Requires 0 <= value <= kSmall: then the value's bits are the mantissa of a
// double between 2^52 and 2^53, whose last place is 1, and taking 2^52 off is exact. Unlike a
// conversion this is two instructions in every vector set.
inline double small_to_double(int64_t value) {
  return std::bit_cast<double>(value | int64_t{0x4330000000000000}) - 0x1p52;
}

// 100 * part / whole in int64 equals the truncated quotient of doubles for 0 <= part <= whole <=
// kSmallWhole: 100 * part is below 2^53 and so exact. Let k be the integer quotient. Rounding is
// monotone and k is a double, so the rounded quotient is not below k. It could only reach k + 1 if
// the true quotient were within half a place of it, that is within (k + 1) * 2^-53; but the true
// quotient, unless it is whole, is at least 1 / whole below k + 1, and (k + 1) * whole <= 100 *
// whole < 2^53.
inline constexpr int64_t kSmallWhole = ((int64_t{1} << 53) - 1) / 100;
static_assert(kSmallWhole * 100 < (int64_t{1} << 53) && kSmallWhole <= kSmall);

// Requires 0 <= part <= whole <= kSmallWhole and whole > 0.
inline int32_t small_percentage(int64_t part, int64_t whole) {
  return static_cast<int32_t>(100.0 * small_to_double(part) / small_to_double(whole));
}

}  // namespace berth::sdk
