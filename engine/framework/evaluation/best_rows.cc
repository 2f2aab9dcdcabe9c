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

void BestRows::open_group(size_t group) {
  blocks_.clear();
  if (known_groups_[group].total != best_) return;
  const size_t all = (known_rows_ + kTotalBlock - 1) / kTotalBlock;
  const size_t end = std::min(all, (group + 1) * kTotalGroup);
  for (size_t block = group * kTotalGroup; block < end; ++block)
    if (known_blocks_[block].total == best_)
      blocks_.push_back({static_cast<model::Row>(block * kTotalBlock),
                         static_cast<model::Row>(std::min(known_rows_, (block + 1) * kTotalBlock)),
                         known_blocks_[block].rows});
}

void BestRows::find_in_groups(const SearchResult& search_result) {
  known_groups_ = search_result.best_of_groups;
  known_blocks_ = search_result.best_of_blocks;
  known_rows_ = search_result.feasible + size_t{search_result.refused};
  const size_t groups = (known_rows_ + kTotalGroup * kTotalBlock - 1) / (kTotalGroup * kTotalBlock);
  best_ = INT64_MIN;
  count_ = 0;
  for (size_t group = 0; group < groups; ++group) {
    const BlockBest& best = known_groups_[group];
    if (best.total > best_) count_ = 0;
    best_ = std::max(best_, best.total);
    if (best.total == best_) count_ += best.rows;
  }
}

void BestRows::find(const SearchResult& search_result) {
  total_ = search_result.total;
  known_groups_ = nullptr;
  if (search_result.best_of_groups != nullptr && search_result.took_all())
    return find_in_groups(search_result);
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

model::Row BestRows::at(uint64_t number) {
  if (known_groups_ != nullptr) {
    size_t group = 0;
    for (; known_groups_[group].total != best_ || number >= known_groups_[group].rows; ++group)
      if (known_groups_[group].total == best_) number -= known_groups_[group].rows;
    open_group(group);
  }
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
