#include "engine/framework/evaluation/best_rows.h"

#include "engine/base/assert.h"

namespace berth::framework {

void BestRows::find(const SearchResult& search_result) {
  total_ = search_result.total.data();
  pieces_.clear();
  if (search_result.listed) {
    for (model::Row row : search_result.list) pieces_.emplace_back(row, row + 1);
  } else {
    pieces_.assign(search_result.pieces.begin(), search_result.pieces.end());
  }
  std::sort(pieces_.begin(), pieces_.end());

  highest_.clear();
  for (auto [begin, end] : pieces_) {
    const size_t blocks = highest_.size();
    highest_.resize(blocks + (end - begin + kTotalBlock - 1) / kTotalBlock);
    highest_of_blocks(total_ + begin, end - begin, highest_.data() + blocks);
  }
  best_ = *std::max_element(highest_.begin(), highest_.end());
  count_ = 0;
  blocks_.clear();
  const int64_t* highest = highest_.data();
  for (auto [begin, end] : pieces_) {
    add(begin, end, highest);
    highest += (end - begin + kTotalBlock - 1) / kTotalBlock;
  }
}

void BestRows::add(model::Row begin, model::Row end, const int64_t* highest) {
  for (; begin < end; begin += std::min<model::Row>(kTotalBlock, end - begin)) {
    if (*highest++ != best_) continue;
    const model::Row last = std::min<model::Row>(begin + kTotalBlock, end);
    const size_t equal = count_equal(total_ + begin, best_, last - begin);
    blocks_.push_back({begin, last, static_cast<uint32_t>(equal)});
    count_ += equal;
  }
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
