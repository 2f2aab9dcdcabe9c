#pragma once

// Integer arithmetic with kube-scheduler's results (Go: int64 wraps, division truncates), and the
// same results computed in doubles where that is exact, because compilers vectorise doubles better.

#include <bit>
#include <cstdint>

// Marks a function with a loop over columns. The compiler builds it for each of these instruction
// sets, and the dynamic linker picks the best one that the processor supports. Off with sanitizers:
// the resolvers run before the sanitizer runtime is initialised. A build may define the macro
// itself, for one instruction set: __attribute__((target("arch=x86-64-v3"))).
#if defined(BERTH_SDK_VECTORISE)
#elif defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
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

// The largest value that `small_to_double` converts.
inline constexpr int64_t kSmall = (int64_t{1} << 52) - 1;

// Converts exactly. Requires 0 <= value <= kSmall: the bits of `value` are then the mantissa of a
// double between 2^52 and 2^53, where neighbouring doubles differ by 1, so subtracting 2^52 is
// exact. This takes two instructions in every vector instruction set; a conversion does not.
inline double small_to_double(int64_t value) {
  return std::bit_cast<double>(value | int64_t{0x4330000000000000}) - 0x1p52;
}

// For 0 <= part <= whole <= kSmallWhole, 100 * part / whole in int64 equals the truncated quotient
// of doubles. Proof: 100 * part is below 2^53 and therefore exact. Let k be the integer quotient.
// Rounding is monotone and k is a double, so the rounded quotient is at least k. It reaches k + 1
// only if the true quotient is within half a unit in the last place of k + 1, that is within (k +
// 1) * 2^-53. But a true quotient that is not an integer is at least 1 / whole below k + 1, and (k
// + 1) * whole <= 100 * whole < 2^53.
inline constexpr int64_t kSmallWhole = ((int64_t{1} << 53) - 1) / 100;
static_assert(kSmallWhole * 100 < (int64_t{1} << 53) && kSmallWhole <= kSmall);

// Requires 0 <= part <= whole <= kSmallWhole and whole > 0.
inline int32_t small_percentage(int64_t part, int64_t whole) {
  return static_cast<int32_t>(100.0 * small_to_double(part) / small_to_double(whole));
}

}  // namespace berth::sdk
