#include <bit>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/bit_clones.h"
#include "engine/base/bits.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace berth::framework {
namespace {

inline uint64_t bits_of(uint64_t word) { return static_cast<uint64_t>(std::popcount(word)); }

// The bits of a word from the set bit with this number on; none if it has fewer.
inline uint64_t from_number(uint64_t word, uint64_t number) {
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

// Looks at the rows of a piece of the search. Of a block without a best row, or in front of all
// positions that can win, only the number of rows is asked for.
BERTH_BIT_CLONES
void BestRows::look_in_piece(const SearchResult::Piece& piece, InHeap& so_far) const {
  HeapWinner& heap = so_far.heap;
  for (model::Row row = piece.first; row < piece.second && !heap.is_known() && so_far.left != 0;) {
    const model::Row block = row / kTotalBlock, begin = block * model::Row{kTotalBlock};
    uint64_t feasible = found_->feasible_of(block) & ~uint64_t{0} << (row - begin);
    if (piece.second - begin < kTotalBlock) feasible &= ~(~uint64_t{0} << (piece.second - begin));
    row = begin + model::Row{kTotalBlock};
    const uint64_t before = std::exchange(so_far.feasible, so_far.feasible + bits_of(feasible));
    if (heap.begin() >= so_far.feasible) continue;
    uint64_t best = best_of_searched(block, feasible);
    so_far.left -= bits_of(best);
    if (best != 0 && heap.begin() > before) best &= from_number(feasible, heap.begin() - before);
    for (; best != 0 && !heap.is_known(); best &= best - 1)
      if (heap.offer(before + bits_of(feasible & ((best & -best) - 1))))
        so_far.winner = begin + static_cast<model::Row>(std::countr_zero(best));
  }
}

model::Row BestRows::first_in_heap() const {
  if (count_ == 1) return at(0);
  if (found_->listed) return first_of_list();
  InHeap so_far{.left = count_};
  for (const SearchResult::Piece& piece : found_->pieces) look_in_piece(piece, so_far);
  BERTH_ASSERT(so_far.winner != model::kNoRow);
  return so_far.winner;
}

}  // namespace berth::framework
