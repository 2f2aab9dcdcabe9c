#include "engine/framework/evaluation/scores/best_rows.h"

#include <bit>

#include "engine/base/assert.h"
#include "engine/base/bits.h"

namespace berth::framework {
namespace {

// The row of the block with this number among those whose bits are set.
model::Row row_of_bit(size_t block, uint64_t rows, uint64_t number) {
  BERTH_ASSERT(number < kTotalBlock);
  const uint32_t place = place_of_bit(rows, static_cast<uint32_t>(number));
  BERTH_ASSERT(place < kTotalBlock);
  return static_cast<model::Row>(block * kTotalBlock + place);
}

}  // namespace

// Of whole totals, from those of each class without the class's part. `classes`: those that may
// have rows.
BlockBest BestRows::add_parts(const BlockBest* by_class, uint64_t classes) const {
  BlockBest best{INT64_MIN, 0};
  for (; classes != 0; classes &= classes - 1) {
    const auto of = static_cast<size_t>(std::countr_zero(classes));
    if (by_class[of].rows == 0) continue;
    best.add(by_class[of].total + found_->ranked.parts[of], by_class[of].rows);
  }
  return best;
}

// Of a whole block.
inline BlockBest BestRows::known_best(size_t block) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  const BlockBest* const by_class = ranked.blocks + block * ranked.stride;
  return ranked.classes == nullptr ? by_class[0] : add_parts(by_class, ranked.classes_of(block));
}

// Of a block that was not searched as a whole. 0 rows if all totals are below the best one.
BlockBest BestRows::best_of_part(model::Row begin, model::Row end) const {
  const size_t block = begin / kTotalBlock;
  const SearchResult::Ranked& ranked = found_->ranked;
  const BlockBest whole = known_best(block);
  if (whole.total < best_) return {whole.total, 0};
  const uint64_t below =
      end % kTotalBlock == 0 ? ~uint64_t{0} : ~(~uint64_t{0} << end % kTotalBlock);
  const uint64_t rows =
      found_->feasible_rows.word(block) & below & ~uint64_t{0} << begin % kTotalBlock;
  if (whole.total == best_) return {best_, count_best(block, rows)};
  const KeptTotal* totals = ranked.totals + block * kTotalBlock;
  return ranked.classes == nullptr ? best_of(totals, rows) : best_of_rows(block, rows);
}

// Of some rows of a block, which are of several classes.
BlockBest BestRows::best_of_rows(size_t block, uint64_t rows) const {
  BlockBest best{INT64_MIN, 0};
  for (; rows != 0; rows &= rows - 1)
    best.add(found_->total(static_cast<model::Row>(block * kTotalBlock) +
                           static_cast<model::Row>(std::countr_zero(rows))),
             1);
  return best;
}

// The number of rows with the best total among some rows of a block.
uint32_t BestRows::count_best(size_t block, uint64_t rows) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  const KeptTotal* const totals = ranked.totals + block * kTotalBlock;
  if (ranked.classes == nullptr) return count_equal(totals, best_, rows);
  uint32_t count = 0;
  for (uint64_t rest = ranked.classes_of(block); rest != 0; rest &= rest - 1) {
    const auto of = static_cast<RowClass>(std::countr_zero(rest));
    const BlockBest& known = ranked.blocks[block * ranked.stride + of];
    if (known.total != best_ - ranked.parts[of]) continue;
    const uint64_t mine = rows & equal_bits(ranked.classes + block * kTotalBlock, of);
    count += count_equal(totals, known.total, mine);
  }
  return count;
}

// Rows [begin, end) are of one block.
BlockBest BestRows::best_of_block(model::Row begin, model::Row end) const {
  if (found_->ranked.blocks != nullptr) return best_of_part(begin, end);
  BlockBest best{};
  highest_of_blocks(found_->totals + begin, end - begin, &best.total);
  if (best.total >= best_)
    best.rows = static_cast<uint32_t>(count_equal(found_->totals + begin, best.total, end - begin));
  return best;
}

// Calls visit(block) for the blocks that were searched whole.
template <typename Visit>
void BestRows::for_each_whole_block(Visit&& visit) const {
  for (auto [begin, end] : pieces_)
    for (size_t block = (begin + kTotalBlock - 1) / kTotalBlock; block < end / kTotalBlock; ++block)
      visit(block);
}

// Finds the highest total of the blocks that were searched whole, and the classes that have it.
// Parts of blocks that are below it are not read.
void BestRows::find_highest() {
  const SearchResult::Ranked& ranked = found_->ranked;
  if (ranked.classes == nullptr) {
    for_each_whole_block(
        [&](size_t block) { best_ = std::max(best_, ranked.blocks[block * ranked.stride].total); });
    return;
  }
  classes_ = 0;
  for_each_whole_block([&](size_t block) {
    const BlockBest* by_class = ranked.blocks + block * ranked.stride;
    for (uint64_t rest = ranked.classes_of(block); rest != 0; rest &= rest - 1) {
      const auto of = static_cast<size_t>(std::countr_zero(rest));
      const int64_t whole = by_class[of].total + ranked.parts[of];
      if (whole > best_) classes_ = 0;
      best_ = std::max(best_, whole);
      if (whole == best_) classes_ |= uint64_t{1} << of;
    }
  });
}

// Blocks that were searched whole, none of which is higher than the best one.
void BestRows::take_blocks(size_t first, size_t last) {
  if (of_one_ != nullptr) {
    uint32_t rows = 0;
    for (size_t block = first; block < last; ++block) rows += best_rows_of_block(block);
    return take_best(first, last, rows);
  }
  for (size_t block = first; block < last; ++block)
    take_best(block, block + 1,
              best_rows_of(found_->ranked.blocks + block * found_->ranked.stride));
}

void BestRows::take_best(size_t first, size_t last, uint32_t rows) {
  take(static_cast<model::Row>(first * kTotalBlock), static_cast<model::Row>(last * kTotalBlock),
       {best_, rows});
}

void BestRows::add(model::Row begin, model::Row end, const BlockBest& best) {
  if (best.total > best_) {
    best_ = best.total;
    count_ = 0;
    blocks_.clear();
  }
  blocks_.push_back({begin, end, best.rows});
  count_ += best.rows;
}

size_t BestRows::groups() const { return group_bests_.size(); }

// Calls visit(begin, end, best) for the blocks of a group that have a best row, until it returns
// false.
template <typename Visit>
void BestRows::for_each_best_block(size_t group, Visit&& visit) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  const size_t rows = found_->feasible + size_t{found_->refused};
  const size_t all = (rows + kTotalBlock - 1) / kTotalBlock;
  const size_t end = std::min(all, (group + 1) * kTotalGroup);
  const BlockBest* known = ranked.blocks + group * kTotalGroup * ranked.stride;
  for (size_t block = group * kTotalGroup; block < end; ++block, known += ranked.stride) {
    const uint32_t best = of_one_ != nullptr ? best_rows_of_block(block) : best_rows_of(known);
    if (best == 0) continue;
    const auto begin = static_cast<model::Row>(block * kTotalBlock);
    if (!visit(begin, static_cast<model::Row>(std::min(rows, (block + 1) * kTotalBlock)), best))
      return;
  }
}

// The number of best rows of a block, of what is known of its classes, which are several.
uint32_t BestRows::best_rows_of(const BlockBest* by_class) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  uint32_t rows = 0;
  for (uint64_t rest = classes_; rest != 0; rest &= rest - 1) {
    const auto of = static_cast<size_t>(std::countr_zero(rest));
    rows += by_class[of].total == best_ - ranked.parts[of] ? by_class[of].rows : 0;
  }
  return rows;
}

// A bit for each best row of the block that begins at `begin`.
uint64_t BestRows::best_bits(model::Row begin) const {
  const SearchResult::Ranked& ranked = found_->ranked;
  const FeasibleRows& feasible = found_->feasible_rows;
  uint64_t rows = feasible.known() ? feasible.word(begin / kTotalBlock) : ~uint64_t{0};
  if (ranked.totals == nullptr) return rows & equal_bits(found_->totals + begin, best_);
  if (ranked.classes == nullptr) return rows & equal_bits(ranked.totals + begin, best_);
  uint64_t best = 0;
  for (uint64_t rest = ranked.classes_of(begin / kTotalBlock); rest != 0; rest &= rest - 1) {
    const auto of = static_cast<RowClass>(std::countr_zero(rest));
    const int64_t total = best_ - ranked.parts[of];
    if (ranked.blocks[begin / kTotalBlock * ranked.stride + of].total < total) continue;
    best |= equal_bits(ranked.totals + begin, total) & equal_bits(ranked.classes + begin, of);
  }
  return rows & best;
}

void BestRows::open_group(size_t group) {
  blocks_.clear();
  if (group_bests_[group].total != best_) return;
  for_each_best_block(group, [&](model::Row begin, model::Row end, uint32_t best) {
    blocks_.push_back({begin, end, best});
    return true;
  });
}

void BestRows::find_in_groups() {
  const SearchResult::Ranked& ranked = found_->ranked;
  const size_t rows = found_->feasible + size_t{found_->refused};
  constexpr size_t kRows = kTotalGroup * kTotalBlock;
  group_bests_.resize((rows + kRows - 1) / kRows);
  for (size_t group = 0; group < group_bests_.size(); ++group) {
    const BlockBest* const by_class = ranked.groups + group * ranked.stride;
    const BlockBest best =
        ranked.classes == nullptr ? by_class[0] : add_parts(by_class, ranked.allowed);
    group_bests_[group] = best;
    if (best.total > best_) count_ = 0;
    best_ = std::max(best_, best.total);
    if (best.total == best_) count_ += best.rows;
  }
  if (ranked.classes != nullptr) find_best_classes();
  note_one_class();
}

void BestRows::note_one_class() {
  const SearchResult::Ranked& ranked = found_->ranked;
  of_one_ = nullptr;
  if (ranked.classes == nullptr) {
    of_one_ = ranked.blocks;
    part_of_one_ = 0;
  } else if (std::has_single_bit(classes_)) {
    const auto one = static_cast<size_t>(std::countr_zero(classes_));
    of_one_ = ranked.blocks + one;
    part_of_one_ = ranked.parts[one];
  }
}

// Notes the classes that have a best row.
void BestRows::find_best_classes() {
  const SearchResult::Ranked& ranked = found_->ranked;
  classes_ = 0;
  for (size_t group = 0; group < group_bests_.size(); ++group) {
    if (group_bests_[group].total != best_) continue;
    const BlockBest* by_class = ranked.groups + group * ranked.stride;
    for (uint64_t rest = ranked.allowed & ~classes_; rest != 0; rest &= rest - 1) {
      const auto of = static_cast<size_t>(std::countr_zero(rest));
      const bool best = by_class[of].rows != 0 && by_class[of].total == best_ - ranked.parts[of];
      classes_ |= uint64_t{best} << of;
    }
  }
}

void BestRows::find(const SearchResult& search_result) {
  BERTH_ASSERT(search_result.feasible != 0);
  found_ = &search_result;
  best_ = INT64_MIN;
  count_ = 0;
  blocks_.clear();
  in_groups_ = search_result.ranked.groups != nullptr && search_result.took_all();
  if (in_groups_) return find_in_groups();
  pieces_.clear();
  if (search_result.listed) {
    for (model::Row row : search_result.list) pieces_.emplace_back(row, row + 1);
  } else {
    pieces_.assign(search_result.pieces.begin(), search_result.pieces.end());
  }
  std::sort(pieces_.begin(), pieces_.end());
  const bool known = search_result.ranked.blocks != nullptr;
  if (known) find_highest();
  note_one_class();
  for (auto [begin, end] : pieces_) {
    while (begin < end) {
      const size_t block = begin / kTotalBlock, last = end / kTotalBlock;
      auto next = static_cast<model::Row>(std::min<size_t>(end, (block + 1) * kTotalBlock));
      if (known && begin % kTotalBlock == 0 && block < last) {
        take_blocks(block, last);
        next = static_cast<model::Row>(last * kTotalBlock);
      } else {
        take(begin, next, best_of_block(begin, next));
      }
      begin = next;
    }
  }
}

// The row with this number among the best ones of [begin, end), as Block has them.
model::Row BestRows::in_block(model::Row begin, model::Row end, uint64_t number) const {
  if (end - begin > kTotalBlock) return in_blocks(begin / kTotalBlock, number);
  return row_of_bit(begin / kTotalBlock, best_bits(begin, end), number);
}

// The row with this number among the best ones from a block on, which are all of one class.
model::Row BestRows::in_blocks(size_t block, uint64_t number) const {
  const size_t stride = found_->ranked.stride;
  const int64_t total = best_ - part_of_one_;
  for (;; ++block) {
    const BlockBest& best = of_one_[block * stride];
    if (best.total != total) continue;
    if (number < best.rows) break;
    number -= best.rows;
  }
  return row_of_bit(block, best_bits(static_cast<model::Row>(block * kTotalBlock)), number);
}

model::Row BestRows::at_in_groups(uint64_t number) const {
  size_t group = 0;
  for (; group_bests_[group].total != best_ || number >= group_bests_[group].rows; ++group)
    if (group_bests_[group].total == best_) number -= group_bests_[group].rows;
  if (of_one_ != nullptr) return in_blocks(group * kTotalGroup, number);
  model::Row found = model::kNoRow;
  for_each_best_block(group, [&](model::Row begin, model::Row end, uint32_t best) {
    if (number >= best) {
      number -= best;
      return true;
    }
    found = in_block(begin, end, number);
    return false;
  });
  return found;
}

model::Row BestRows::at(uint64_t number) const {
  BERTH_ASSERT(number < count_);
  if (in_groups_) return at_in_groups(number);
  for (const Block& block : blocks_) {
    if (number < block.best) return in_block(block.begin, block.end, number);
    number -= block.best;
  }
  BERTH_ASSERT(false && "one of the best rows");
  return model::kNoRow;
}

}  // namespace berth::framework
