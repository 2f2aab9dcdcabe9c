// The cost of one node that goes, among 100,000 in zones of equal size, from the middle of the
// order; microseconds for a column, the least of 300 runs:
//
//                                                                1 byte  4 bytes  8 bytes
//   3 zones   one permutation of all rows, gathered and copied       13       22       38
//             the rows of the zone, one by one                       30       30       24
//             the rows of the zone, under a mask                      3        6       10
//   30 zones  one permutation of all rows                            13       21       38
//             one by one                                              3        3        2
//             under a mask                                            4        7       10
//   1 zone    one permutation of all rows                            13       21       38
//             moved as one piece                                      3        3        6
//
// So rows move under a mask, which writes those between back as they were, up to a stride of 16,
// and one by one above. What limits it is memory: half of the rows of each column are read, and
// blocks whose values differ are written.

#include "engine/model/cluster/nodes/row_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/columns/column.h"

namespace berth::model {
namespace {

// With more, one permutation costs less, although rankings are made again after it.
constexpr size_t kMostShifts = 8;

}  // namespace

// The place where the tree describes what it does; null if that would be too much.
RowShift* RowOrder::next_shift() {
  static_assert(kMostShifts <= std::tuple_size_v<decltype(shifts_)>);
  too_many_shifts_ |= shifts_made_ == kMostShifts;
  return too_many_shifts_ ? nullptr : &shifts_[shifts_made_++];
}

void RowOrder::add_to_tree(Slot slot, const std::string& zone) {
  if (!tree_.add(slot, zone, next_shift())) in_order_ = false;
}

void RowOrder::remove_from_tree(Slot slot, const std::string& zone) {
  tree_.remove(slot, zone, next_shift());
  in_order_ = false;
}

Row RowOrder::append(Slot slot) {
  BERTH_ASSERT(rows_[slot] == kNoRow);
  rows_[slot] = rows();
  slots_.push_back(slot);
  return rows_[slot];
}

void RowOrder::add(Slot slot, const std::string& zone) {
  add_to_tree(slot, zone);
  if (rows_[slot] >= ordered_count_) ++added_;
  stale_ = true;
}

void RowOrder::remove(Slot slot, const std::string& zone) {
  BERTH_ASSERT(rows_[slot] != kNoRow);
  remove_from_tree(slot, zone);
  if (rows_[slot] >= ordered_count_) --added_;
  stale_ = true;
}

void RowOrder::move(Slot slot, const std::string& from, const std::string& to) {
  remove_from_tree(slot, from);
  add_to_tree(slot, to);
}

std::optional<RowOrder::Move> RowOrder::follow_tree() {
  if (!stale_) return std::nullopt;
  stale_ = false;
  std::optional<Move> moved;
  if (!changed()) {
    if (rows() != ordered_count_) moved = drop_new_rows();
    return moved;
  }
  if (!in_order_) moved = too_many_shifts_ ? take(tree_.order()) : shift();
  BERTH_ASSERT(rows() == tree_.size());
  in_order_ = true;
  shifts_made_ = 0;
  too_many_shifts_ = false;
  ordered_count_ = rows();
  added_ = 0;
  return moved;
}

// Rows before the first that differs stay.
RowOrder::Move RowOrder::take(std::vector<Slot> order) {
  const auto same =
      std::mismatch(order.begin(), order.end(), slots_.begin(), slots_.end()).first - order.begin();
  Move moved;
  moved.first = static_cast<Row>(same);
  moved.rows_before.reserve(order.size() - moved.first);
  for (size_t i = moved.first; i < order.size(); ++i) moved.rows_before.push_back(rows_[order[i]]);
  for (size_t row = moved.first; row < slots_.size(); ++row) rows_[slots_[row]] = kNoRow;
  slots_ = std::move(order);
  for (Row row = moved.first; row < rows(); ++row) rows_[slots_[row]] = row;
  return moved;
}

Renumbering& RowOrder::next_renumbering() {
  if (renumberings_.empty()) renumberings_.resize(kKeptRenumberings);
  if (++renumbered_ == 0) ++renumbered_;  // 0 means none
  Renumbering& next = renumberings_[renumbered_ % kKeptRenumberings];
  next.before = next.after = next.most = ordered_count_;
  next.shifts.clear();
  return next;
}

// Makes the order that of the tree, shift by shift. Rows behind those in order are left out: their
// nodes get new ones, as all nodes that a shift brings.
RowOrder::Move RowOrder::shift() {
  Renumbering& by = next_renumbering();
  for (size_t i = 0; i < shifts_made_; ++i) {
    BERTH_ASSERT(shifts_[i].rows == by.after);
    by.after += shifts_[i].comes ? 1u : UINT32_MAX;
    by.most = std::max(by.most, by.after);
    by.shifts.push_back(std::move(shifts_[i]));
  }
  move_slots(by);
  return {renumbered_, 0, {}};
}

void RowOrder::move_slots(const Renumbering& by) {
  for (size_t row = by.before; row < slots_.size(); ++row) rows_[slots_[row]] = kNoRow;
  slots_.resize(by.most);
  clear(differ_, by.most);
  for (const RowShift& shift : by.shifts) {
    if (!shift.comes) {
      BERTH_ASSERT(slots_[shift.at] == shift.node);
      rows_[shift.node] = kNoRow;
    }
    apply(shift, slots_.data(), differ_);
    if (!shift.comes) continue;
    slots_[shift.at] = shift.node;
    mark(differ_, shift.at);
  }
  slots_.resize(by.after);
  for_each_block(differ_, [&](uint32_t block) {
    const Row begin = block * Column::kBlock;
    for (Row row = begin; row < std::min(begin + Column::kBlock, by.after); ++row)
      rows_[slots_[row]] = row;
  });
}

// Drops the rows after those in order, of nodes that were added and removed again.
RowOrder::Move RowOrder::drop_new_rows() {
  for (size_t row = ordered_count_; row < slots_.size(); ++row) rows_[slots_[row]] = kNoRow;
  slots_.resize(ordered_count_);
  static_cast<void>(next_renumbering());
  return {renumbered_, 0, {}};
}

}  // namespace berth::model
