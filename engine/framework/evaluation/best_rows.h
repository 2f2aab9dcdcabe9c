#pragma once

// The searched rows that have the best total, in row order; the last step of a decision picks
// one of them. Reads all totals once, and those of the blocks with a best row again; where the
// evaluator knows the best total of each block, the blocks' numbers instead, or those of 64 blocks.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/framework/evaluation/kernels.h"
#include "engine/framework/evaluation/search_result.h"

namespace berth::framework {

class BestRows {
 public:
  // Precondition: the search result is scored and has a feasible row. It must not change while the
  // functions below are used.
  void find(const SearchResult& search_result);

  uint64_t count() const { return count_; }  // number of rows with the best total; at least 1
  // The row with this number in row order. Requires number < count().
  model::Row at(uint64_t number);
  // The smallest of the rows by less(a, b), a strict order of rows.
  template <typename Less>
  model::Row first_by(Less&& less);

 private:
  // Rows of which some have the best total.
  struct Block {
    model::Row begin, end;
    uint32_t best;  // number of them
  };

  // Calls visit(begin, end, best) for each part of a block that was searched. `known`: the best
  // totals of whole blocks.
  template <typename Visit>
  void for_each_block(const BlockBest* known, Visit&& visit) const;
  void find_in_groups(const SearchResult& search_result);
  // Fills in blocks_ with those of a group.
  void open_group(size_t group);

  const int64_t* total_ = nullptr;
  int64_t best_ = 0;
  uint64_t count_ = 0;
  std::vector<Block> blocks_;
  std::vector<SearchResult::Piece> pieces_;
  // If the search took all rows: what is known of blocks and groups. Null: blocks_ has all.
  const BlockBest* known_groups_ = nullptr;
  const BlockBest* known_blocks_ = nullptr;
  size_t known_rows_ = 0;
};

template <typename Less>
model::Row BestRows::first_by(Less&& less) {
  model::Row first = model::kNoRow;
  const size_t groups = known_groups_ == nullptr ? 1
                                                 : (known_rows_ + kTotalGroup * kTotalBlock - 1) /
                                                       (kTotalGroup * kTotalBlock);
  for (size_t group = 0; group < groups; ++group) {
    if (known_groups_ != nullptr) open_group(group);
    for (const Block& block : blocks_)
      for (model::Row row = block.begin; row < block.end; ++row)
        if (total_[row] == best_ && (first == model::kNoRow || less(row, first))) first = row;
  }
  return first;
}

}  // namespace berth::framework
