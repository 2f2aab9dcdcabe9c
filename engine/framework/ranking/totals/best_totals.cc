#include "engine/framework/ranking/totals/best_totals.h"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

void BestTotals::resize(size_t blocks) {
  const size_t groups = (blocks + kTotalGroup - 1) / kTotalGroup;
  if (blocks < count_) forget();  // groups know those that go
  count_ = blocks;
  blocks_.resize(blocks * stride_, {INT64_MIN, 0});
  groups_.resize(groups * stride_, {INT64_MIN, 0});
  present_.resize(blocks);
  changed_.resize(groups);
  empty_.reserve(blocks + 256);  // so that decisions do not allocate
}

void BestTotals::follow(const KeptTotal* total, const RowClass* of_rows, uint32_t classes,
                        const RowBits& open, const std::vector<uint32_t>& blocks) {
  BERTH_ASSERT(classes != 0);
  classes_ = classes;
  if (classes > stride_) {
    stride_ = std::bit_ceil(classes);
    stands_ = false;
  }
  if (stands_) {
    for (const uint32_t block : blocks) follow_block(block, total, of_rows, open[block]);
    for (const uint32_t block : empty_) follow_block(block, total, of_rows, open[block]);
  } else {
    find_all(total, of_rows, open);
    stands_ = true;
  }
  empty_.clear();
  for (uint32_t group = 0; group < changed_.size(); ++group) {
    if (changed_[group] == 0) continue;
    follow_group(group, changed_[group]);
    changed_[group] = 0;
  }
}

void BestTotals::find(const KeptTotal* total, const RowClass* of_rows, const RowBits& open,
                      uint32_t first, uint32_t last, BlockBest* best) const {
  if (stride_ == 1 && of_rows == nullptr) {
    best_of_blocks(total + size_t{first} * kTotalBlock, open.data() + first, last - first,
                   best + first);
    return;
  }
  for (uint32_t block = first; block < last; ++block)
    best_of_block(block, total, of_rows, open[block], best + size_t{block} * stride_);
}

// Finds the best of all blocks, and marks all groups as changed.
void BestTotals::find_all(const KeptTotal* total, const RowClass* of_rows, const RowBits& open) {
  blocks_.assign(count_ * stride_, {INT64_MIN, 0});
  find(total, of_rows, open, 0, static_cast<uint32_t>(count_), blocks_.data());
  for (uint32_t block = 0; block < count_; ++block) {
    present_[block] = 0;
    for (uint32_t of = 0; of < classes_; ++of)
      present_[block] |= uint64_t{blocks_[size_t{block} * stride_ + of].rows != 0} << of;
  }
  groups_.assign(changed_.size() * stride_, {INT64_MIN, 0});
  std::ranges::fill(changed_, ~uint64_t{0} >> (64 - classes_));
}

void BestTotals::change(model::Row row, RowClass of, int64_t before, int64_t after) {
  if (!stands_ || of >= classes_) return;  // of a new class: its block is looked at
  const uint32_t block = row / kTotalBlock;
  BlockBest best = blocks_[size_t{block} * stride_ + of];
  if (before < best.total && after < best.total) return;
  if (before == best.total && best.rows != 0) --best.rows;
  if (after > best.total) {
    best = {after, 1};
  } else if (after == best.total) {
    ++best.rows;
  }
  if (best.rows == 0 && best.total != INT64_MIN) {
    best.total = INT64_MIN;
    empty_.push_back(block);
  }
  replace(block, of, best);
}

// Gives the block another best, and its group what follows from it.
void BestTotals::replace(uint32_t block, RowClass of, const BlockBest& now) {
  BlockBest& best = blocks_[size_t{block} * stride_ + of];
  if (best.total == now.total && best.rows == now.rows) return;
  const uint32_t group = block / kTotalGroup;
  BlockBest& all = groups_[size_t{group} * stride_ + of];
  if (best.total == all.total) all.rows -= best.rows;
  if (now.total > all.total) {
    all = now;
  } else if (now.total == all.total) {
    all.rows += now.rows;
  }
  const uint64_t mask = uint64_t{1} << of;
  if (all.rows == 0) changed_[group] |= mask;
  present_[block] = now.rows != 0 ? present_[block] | mask : present_[block] & ~mask;
  best = now;
}

// One result for each class.
void BestTotals::best_of_block(uint32_t block, const KeptTotal* total, const RowClass* of_rows,
                               uint64_t open, BlockBest* best) const {
  const size_t row = size_t{block} * kTotalBlock;
  if (of_rows != nullptr) {
    best_of(total + row, of_rows + row, open, best, classes_);
  } else {
    best[0] = best_of(total + row, open);
  }
}

void BestTotals::follow_block(uint32_t block, const KeptTotal* total, const RowClass* of_rows,
                              uint64_t open) {
  std::array<BlockBest, RowClasses::kMost> now;
  best_of_block(block, total, of_rows, open, now.data());
  for (uint32_t of = 0; of < classes_; ++of) replace(block, static_cast<RowClass>(of), now[of]);
}

void BestTotals::follow_group(uint32_t group, uint64_t classes) {
  const size_t begin = size_t{group} * kTotalGroup;
  const size_t end = std::min(count_, begin + kTotalGroup);
  for (; classes != 0; classes &= classes - 1) {
    const auto of = static_cast<size_t>(std::countr_zero(classes));
    BlockBest best{INT64_MIN, 0};
    for (size_t block = begin; block < end; ++block) {
      const BlockBest& one = blocks_[block * stride_ + of];
      best.add(one.total, one.rows);
    }
    groups_[group * stride_ + of] = best;
  }
}

}  // namespace berth::framework
