#include "engine/framework/ranking/rows/class_rows.h"

#include <algorithm>
#include <bit>

namespace berth::framework {

void ClassRows::build(const RowClasses& classes, model::Row rows) {
  stride_ = std::bit_ceil(std::max(1u, classes.count()));
  words_.resize((size_t{rows} + 63) / 64 * stride_);
  for (uint32_t block = 0; block < words_.size() / stride_; ++block) take_block(classes, block);
}

void ClassRows::build(const RowClasses& classes, model::Row rows, const model::BlockBits& blocks) {
  grow(classes, rows);
  model::for_each_block(blocks, [&](uint32_t block) {
    if (block < words_.size() / stride_) take_block(classes, block);
  });
}

void ClassRows::take_block(const RowClasses& classes, uint32_t block) {
  const model::Row first = block * 64;
  std::fill_n(&word(first, 0), stride_, 0);
  for (model::Row row = first; row < first + 64; ++row)
    if (const RowClass of = classes.of_rows()[row]; of != RowClasses::kNone)
      word(row, of) |= uint64_t{1} << row % 64;
}

void ClassRows::grow(const RowClasses& classes, model::Row rows) {
  if (classes.count() > stride_) {
    const uint32_t stride = std::bit_ceil(classes.count());
    std::vector<uint64_t> wider(words_.size() / stride_ * stride);
    for (size_t i = 0; i < words_.size(); ++i)
      wider[i / stride_ * stride + i % stride_] = words_[i];
    words_ = std::move(wider);
    stride_ = stride;
  }
  words_.resize((size_t{rows} + 63) / 64 * stride_);
}

void ClassRows::move(model::Row row, RowClass was, RowClass now, bool open) {
  const uint64_t mask = uint64_t{1} << row % 64;
  if (was != RowClasses::kNone) word(row, was) &= ~mask;
  word(row, now) |= mask;
  if (!open) return;
  if (was != RowClasses::kNone) add(was, false);
  add(now, true);
}

void ClassRows::count(const RowBits& open) {
  open_.fill(0);
  for (size_t i = 0; i < words_.size(); ++i)
    open_[i % stride_] += static_cast<uint32_t>(std::popcount(words_[i] & open[i / stride_]));
}

uint32_t ClassRows::open_in(uint64_t classes) const {
  uint32_t sum = 0;
  for (; classes != 0; classes &= classes - 1) sum += open_[std::countr_zero(classes)];
  return sum;
}

}  // namespace berth::framework
