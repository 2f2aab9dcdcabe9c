#pragma once

// Iterates over the feasible rows that a PreScore gets (berth/abi/score.h).

#include <bit>
#include <cstdint>
#include <type_traits>

#include "berth/abi/score.h"

namespace berth::sdk {

// Calls visit(row) for each feasible row in ascending order. If visit returns a bool, false stops
// the iteration.
template <class Visit>
void for_each_feasible(const berth_feasible& feasible, Visit&& visit) {
  for (uint64_t word = 0; word * 64 < feasible.row_count; ++word)
    for (uint64_t bits = feasible.rows[word]; bits != 0; bits &= bits - 1) {
      const uint64_t row = word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
      if constexpr (std::is_void_v<std::invoke_result_t<Visit&, uint64_t>>) {
        visit(row);
      } else {
        if (!visit(row)) return;
      }
    }
}

}  // namespace berth::sdk
