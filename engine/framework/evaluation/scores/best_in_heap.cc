#include <bit>

#include "engine/base/assert.h"
#include "engine/base/bits.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace berth::framework {
namespace {

// The bits of a word from the set bit with this number on; none if it has fewer.
uint64_t from_number(uint64_t word, uint64_t number) {
  if (number == 0) return word;
  if (number >= kTotalBlock) return 0;
  const uint32_t place = place_of_bit(word, static_cast<uint32_t>(number));
  return place == kTotalBlock ? 0 : word & ~uint64_t{0} << place;
}

}  // namespace

// Of the feasible rows of a block that were searched, those that have the best total.
uint64_t BestRows::best_of_searched(size_t block, uint64_t feasible) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  const bool one_class = ranked.classes == nullptr;
  if (one_class && ranked.blocks != nullptr && ranked.blocks[block * ranked.stride].total < best_)
    return 0;
  return feasible & best_bits(static_cast<model::Row>(block * kTotalBlock));
}

// Takes the searched rows of a block into account, `before` feasible rows of others being in front
// of them. Returns the row that the heap took last; kNoRow: none of these.
model::Row BestRows::look_in_block(size_t block, uint64_t feasible, uint64_t before,
                                   HeapWinner& heap) const {
  const uint64_t behind = before + static_cast<uint64_t>(std::popcount(feasible));
  model::Row taken = model::kNoRow;
  if (heap.begin() >= behind) return taken;
  const uint64_t best = best_of_searched(block, feasible);
  while (!heap.is_known() && heap.begin() < behind) {
    uint64_t range = from_number(feasible, heap.begin() < before ? 0 : heap.begin() - before);
    if (heap.end() < behind) range &= ~from_number(feasible, heap.end() - before);
    if ((range & best) != 0) {
      const int place = std::countr_zero(range & best);
      taken = static_cast<model::Row>(block * kTotalBlock) + static_cast<model::Row>(place);
      heap.take(before + static_cast<uint64_t>(std::popcount(feasible & ~(~uint64_t{0} << place))));
    } else if (heap.end() <= behind) {
      heap.pass();
    } else {
      break;
    }
  }
  return taken;
}

// Of a search of single rows.
model::Row BestRows::first_of_list() const {
  std::vector<model::Row> feasible;
  for (const model::Row row : found_->list)
    if (found_->refuser[row] == kFeasible) feasible.push_back(row);
  const int64_t best = found_->total(at(0));
  const auto position = heap_winner(
      feasible.size(), [&](uint64_t at) { return found_->total(feasible[at]) == best; });
  BERTH_ASSERT(position);
  return feasible[*position];
}

model::Row BestRows::first_in_heap() const {
  if (count_ == 1) return at(0);
  if (found_->listed) return first_of_list();
  HeapWinner heap;
  uint64_t before = 0;
  model::Row winner = model::kNoRow;
  found_->for_each_block([&](size_t block, uint64_t within) {
    if (heap.is_known()) return;
    const uint64_t feasible = within & found_->feasible_of(static_cast<uint32_t>(block));
    const model::Row taken = look_in_block(block, feasible, before, heap);
    if (taken != model::kNoRow) winner = taken;
    before += static_cast<uint64_t>(std::popcount(feasible));
  });
  BERTH_ASSERT(winner != model::kNoRow);
  return winner;
}

}  // namespace berth::framework
