#include "engine/framework/evaluation/best_rows.h"

#include "engine/base/assert.h"

namespace berth::framework {

template <typename Visit>
void BestRows::for_each_block(const BlockBest* known, Visit&& visit) const {
  for (auto [begin, end] : pieces_) {
    while (begin < end) {
      const auto next =
          static_cast<model::Row>(std::min<size_t>(end, (begin / kTotalBlock + 1) * kTotalBlock));
      if (next - begin == kTotalBlock && known != nullptr) {
        visit(begin, next, known[begin / kTotalBlock]);
      } else {
        BlockBest best{};
        highest_of_blocks(total_ + begin, next - begin, &best.total);
        if (best.total >= best_)
          best.rows = static_cast<uint32_t>(count_equal(total_ + begin, best.total, next - begin));
        visit(begin, next, best);
      }
      begin = next;
    }
  }
}

void BestRows::find(const SearchResult& search_result) {
  total_ = search_result.total;
  pieces_.clear();
  if (search_result.listed) {
    for (model::Row row : search_result.list) pieces_.emplace_back(row, row + 1);
  } else {
    pieces_.assign(search_result.pieces.begin(), search_result.pieces.end());
  }
  std::sort(pieces_.begin(), pieces_.end());

  best_ = INT64_MIN;
  count_ = 0;
  blocks_.clear();
  for_each_block(search_result.best_of_blocks,
                 [&](model::Row begin, model::Row end, const BlockBest& best) {
                   if (best.total < best_) return;
                   if (best.total > best_) {
                     best_ = best.total;
                     count_ = 0;
                     blocks_.clear();
                   }
                   blocks_.push_back({begin, end, best.rows});
                   count_ += best.rows;
                 });
}

model::Row BestRows::at(uint64_t number) const {
  for (const Block& block : blocks_) {
    if (number >= block.best) {
      number -= block.best;
      continue;
    }
    for (model::Row row = block.begin; row < block.end; ++row)
      if (total_[row] == best_ && number-- == 0) return row;
  }
  BERTH_ASSERT(false && "one of the best rows");
  return model::kNoRow;
}

}  // namespace berth::framework
