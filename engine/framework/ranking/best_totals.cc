#include "engine/framework/ranking/best_totals.h"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/framework/evaluation/kernels.h"

namespace berth::framework {

void BestTotals::resize(size_t blocks) {
  const size_t groups = (blocks + kTotalGroup - 1) / kTotalGroup;
  count_ = blocks;
  blocks_.resize(blocks * stride_, {INT64_MIN, 0});
  groups_.resize(groups * stride_, {INT64_MIN, 0});
  changed_.resize(groups);
}

void BestTotals::follow(const int64_t* total, const RowClass* of_rows, uint32_t classes,
                        const RowBits& open, const std::vector<uint32_t>& blocks) {
  classes_ = classes;
  if (classes > stride_) {
    stride_ = std::bit_ceil(classes);
    stands_ = false;
  }
  const auto look = [&](uint32_t block) {
    const size_t row = size_t{block} * kTotalBlock;
    follow_block(block, total + row, of_rows == nullptr ? nullptr : of_rows + row, open[block]);
  };
  if (stands_) {
    for (const uint32_t block : blocks) look(block);
  } else {
    blocks_.assign(count_ * stride_, {INT64_MIN, 0});
    groups_.assign(changed_.size() * stride_, {INT64_MIN, 0});
    for (uint32_t block = 0; block < count_; ++block) look(block);
    stands_ = true;
  }
  for (uint32_t group = 0; group < changed_.size(); ++group) {
    if (changed_[group] == 0) continue;
    follow_group(group, changed_[group]);
    changed_[group] = 0;
  }
}

void BestTotals::follow_block(uint32_t block, const int64_t* total, const RowClass* of_rows,
                              uint64_t open) {
  BlockBest* best = blocks_.data() + size_t{block} * stride_;
  std::array<BlockBest, RowClasses::kMost> now;
  if (of_rows != nullptr) {
    best_of(total, of_rows, open, now.data(), classes_);
  } else {
    now[0] = best_of(total, open);
  }
  for (uint32_t of = 0; of < classes_; ++of) {
    if (best[of].total == now[of].total && best[of].rows == now[of].rows) continue;
    best[of] = now[of];
    changed_[block / kTotalGroup] |= uint64_t{1} << of;
  }
}

void BestTotals::follow_group(uint32_t group, uint64_t classes) {
  const size_t begin = size_t{group} * kTotalGroup;
  const size_t end = std::min(count_, begin + kTotalGroup);
  for (; classes != 0; classes &= classes - 1) {
    const auto of = static_cast<size_t>(std::countr_zero(classes));
    BlockBest best{INT64_MIN, 0};
    for (size_t block = begin; block < end; ++block) {
      const BlockBest& one = blocks_[block * stride_ + of];
      if (one.total > best.total) best = {one.total, 0};
      if (one.total == best.total) best.rows += one.rows;
    }
    groups_[group * stride_ + of] = best;
  }
}

}  // namespace berth::framework
