#include "engine/framework/evaluation/rows/search_result.h"

#include <bit>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

uint64_t SearchResult::feasible_of(uint32_t block) const {
  return feasible_rows.known() ? feasible_rows.word(block)
                               : feasible_bits(refuser + size_t{block} * 64);
}

model::Row SearchResult::only_feasible() const {
  BERTH_ASSERT(feasible == 1);
  model::Row only = model::kNoRow;
  if (listed) {
    for (const model::Row row : list)
      if (refuser[row] == kFeasible) only = row;
    return only;
  }
  for_each_block([&](uint32_t block, uint64_t within) {
    const uint64_t rows = within & feasible_of(block);
    if (rows != 0) only = block * 64 + static_cast<model::Row>(std::countr_zero(rows));
  });
  return only;
}

}  // namespace berth::framework
