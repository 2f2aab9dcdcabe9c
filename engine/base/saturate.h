#pragma once

#include <cstdint>

namespace berth {

// The sum, or the number next to it where there is none.
constexpr int64_t saturating_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

}  // namespace berth
