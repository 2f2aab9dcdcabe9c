#pragma once

// Sums of int64 whose overflow is defined.

#include <cstdint>

namespace berth {

// Saturating: INT64_MAX or INT64_MIN where the sum does not fit.
constexpr int64_t saturating_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

// Wrapping, as kube-scheduler's sums do. Adding -b afterwards restores a.
constexpr int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace berth
