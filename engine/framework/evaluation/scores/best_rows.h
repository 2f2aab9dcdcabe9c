#pragma once

// The searched rows that have the best total, in row order; the last step of a decision picks
// one of them. Reads all totals once, and those of the blocks with a best row again; where the
// evaluator knows the best total of each block (SearchResult::Ranked), the blocks' numbers instead,
// or those of 64 blocks.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/evaluation/scores/heap_winner.h"
#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

class BestRows {
 public:
  // Precondition: the search result is scored and has a feasible row. It outlives the use of the
  // functions below, and must not change meanwhile.
  void find(const SearchResult& search_result);

  uint64_t count() const { return count_; }  // number of rows with the best total; at least 1
  // The row with this number in row order. Requires number < count().
  model::Row at(uint64_t number) const;
  // The smallest of the rows by less(a, b), a strict order of rows.
  template <typename Less>
  model::Row first_by(Less&& less);
  // The row that a heap over the feasible rows, in the order of the search, gives out first.
  model::Row first_in_heap() const;

 private:
  // Rows of which some have the best total: of one block, or of several whole ones, whose best rows
  // are all of one class.
  struct Block {
    model::Row begin, end;
    uint32_t best;  // number of them
  };

  // Calls visit(row) for the best rows of [begin, end), as Block has them.
  template <typename Visit>
  void for_each_best(model::Row begin, model::Row end, Visit&& visit) const {
    const bool several = end - begin > kTotalBlock;
    while (begin < end) {
      const auto block = static_cast<model::Row>(begin / kTotalBlock * kTotalBlock);
      const auto next = std::min(end, static_cast<model::Row>(block + kTotalBlock));
      if (several && best_rows_of_block(begin / kTotalBlock) == 0) {
        begin = next;
        continue;
      }
      for (uint64_t rows = best_bits(begin, next); rows != 0; rows &= rows - 1)
        visit(block + static_cast<model::Row>(std::countr_zero(rows)));
      begin = next;
    }
  }
  // A bit for each best row of [begin, end), which are of one block, by its place in the block.
  uint64_t best_bits(model::Row begin, model::Row end) const {
    const auto block = static_cast<model::Row>(begin / kTotalBlock * kTotalBlock);
    uint64_t rows = best_bits(block) & ~uint64_t{0} << (begin - block);
    if (end - block < kTotalBlock) rows &= ~(~uint64_t{0} << (end - block));
    return rows;
  }
  uint64_t best_bits(model::Row block) const;
  // Of a whole block of known best totals. Precondition: the best rows are of one class.
  uint32_t best_rows_of_block(size_t block) const {
    const BlockBest& known = of_one_[block * found_->ranked.stride];
    return known.total == best_ - part_of_one_ ? known.rows : 0;
  }
  BlockBest best_of_block(model::Row begin, model::Row end) const;
  BlockBest best_of_part(model::Row begin, model::Row end) const;
  BlockBest best_of_rows(size_t block, uint64_t rows) const;
  uint32_t count_best(size_t block, uint64_t rows) const;
  BlockBest known_best(size_t block) const;
  BlockBest add_parts(const BlockBest* by_class, uint64_t classes) const;
  template <typename Visit>
  void for_each_best_block(size_t group, Visit&& visit) const;
  model::Row in_block(model::Row begin, model::Row end, uint64_t number) const;
  model::Row at_in_groups(uint64_t number) const;
  model::Row in_blocks(size_t block, uint64_t number) const;
  void take(model::Row begin, model::Row end, const BlockBest& best) {
    if (best.rows != 0 && best.total >= best_) add(begin, end, best);
  }
  void add(model::Row begin, model::Row end, const BlockBest& best);
  template <typename Visit>
  void for_each_whole_block(Visit&& visit) const;
  void find_highest();
  void take_blocks(size_t first, size_t last);
  void take_best(size_t first, size_t last, uint32_t rows);
  size_t groups() const;
  void find_in_groups();
  void find_best_classes();
  void note_one_class();
  uint32_t best_rows_of(const BlockBest* by_class) const;
  // Fills in blocks_ with those of a group.
  void open_group(size_t group);
  model::Row first_of_list() const;
  // Positions in the heap count the feasible rows of all blocks.
  struct InHeap {
    HeapWinner heap{};
    uint64_t feasible = 0;  // rows that were looked at
    uint64_t left = 0;      // best rows that were not, at most
    model::Row winner = model::kNoRow;
  };
  void look_in_piece(const SearchResult::Piece& piece, InHeap& so_far) const;
  uint64_t best_of_searched(size_t block, uint64_t feasible) const;

  const SearchResult* found_ = nullptr;
  int64_t best_ = 0;
  uint64_t count_ = 0;
  // If there are classes: those of the best rows, as bits. Of a search of some rows, those of the
  // blocks that it took whole.
  uint64_t classes_ = 1;
  // If that is one class, or there are none: its best totals at block * stride, and its part of
  // whole totals. Null: it is several.
  const BlockBest* of_one_ = nullptr;
  int64_t part_of_one_ = 0;
  std::vector<Block> blocks_;
  bool in_groups_ = false;  // blocks_ has those of one group, else all
  std::vector<SearchResult::Piece> pieces_;
  std::vector<BlockBest> group_bests_;  // over the allowed classes
};

template <typename Less>
model::Row BestRows::first_by(Less&& less) {
  model::Row first = model::kNoRow;
  const size_t parts = in_groups_ ? groups() : 1;
  for (size_t part = 0; part < parts; ++part) {
    if (in_groups_) open_group(part);
    for (const Block& block : blocks_)
      for_each_best(block.begin, block.end, [&](model::Row row) {
        if (first == model::kNoRow || less(row, first)) first = row;
      });
  }
  return first;
}

}  // namespace berth::framework
