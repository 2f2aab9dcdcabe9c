// The order of the rows of the node table.
//
// What one node that goes costs, among 100,000 in zones of equal size, from the middle of the
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

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/cluster/node_table.h"

namespace berth::model {
namespace {

// With more, one permutation costs less, although rankings are made again after it.
constexpr size_t kMostShifts = 8;

}  // namespace

// Where the tree describes what it does; null if that would be too much.
RowShift* NodeTable::next_shift() {
  static_assert(kMostShifts <= std::tuple_size_v<decltype(shifts_)>);
  too_many_shifts_ |= shifts_made_ == kMostShifts;
  return too_many_shifts_ ? nullptr : &shifts_[shifts_made_++];
}

void NodeTable::add_to_tree(Slot slot, const std::string& zone) {
  if (!tree_.add(slot, zone, next_shift())) in_order_ = false;
}

void NodeTable::remove_from_tree(Slot slot) {
  tree_.remove(slot, nodes_[slot].zone, next_shift());
  in_order_ = false;
}

void NodeTable::move_in_tree(Slot slot, const std::string& zone) {
  Node& node = nodes_[slot];
  if (node.present && node.zone == zone) return;
  if (node.present) {
    remove_from_tree(slot);
    add_to_tree(slot, zone);
    return;
  }
  add_to_tree(slot, zone);
  if (rows_[slot] >= ordered_count_) ++added_;
  node.present = true;
  order_stale_ = true;
}

bool NodeTable::order_changed() const { return tree_.size() != ordered_count_ || added_ != 0; }

void NodeTable::order_rows() {
  if (!order_stale_) return;
  order_stale_ = false;
  if (!order_changed()) return drop_new_rows();
  if (!in_order_) {
    if (too_many_shifts_) {
      take_order(tree_.order());
    } else {
      renumber();
    }
  }
  BERTH_ASSERT(rows() == tree_.size());
  in_order_ = true;
  shifts_made_ = 0;
  too_many_shifts_ = false;
  ordered_count_ = rows();
  added_ = 0;
}

// Rows before the first that differs stay.
void NodeTable::take_order(std::vector<Slot> order) {
  const auto same =
      std::mismatch(order.begin(), order.end(), slots_.begin(), slots_.end()).first - order.begin();
  const Row first = static_cast<Row>(same);
  std::vector<uint32_t> rows_before;
  rows_before.reserve(order.size() - first);
  for (size_t i = first; i < order.size(); ++i) rows_before.push_back(rows_[order[i]]);
  for (ColumnId id : present_) {
    // A row's number is where it is.
    if (columns_[id].info.attribute == Attribute::kNodeRow) {
      columns_[id].column->resize(order.size());
    } else {
      columns_[id].column->permute(first, rows_before, scratch_);
    }
  }
  for (size_t row = first; row < slots_.size(); ++row) rows_[slots_[row]] = kNoRow;
  slots_ = std::move(order);
  for (Row row = first; row < rows(); ++row) rows_[slots_[row]] = row;
  log_.append(Table::kNodes, kEveryRow, change::kAll);
}

Renumbering& NodeTable::next_renumbering() {
  if (renumberings_.empty()) renumberings_.resize(kKeptRenumberings);
  if (++renumbered_ == 0) ++renumbered_;  // 0 means none
  Renumbering& next = renumberings_[renumbered_ % kKeptRenumberings];
  next.before = next.after = next.most = ordered_count_;
  next.shifts.clear();
  return next;
}

// Makes the order that of the tree, shift by shift. Rows behind those in order are left out: their
// nodes get new ones, as all nodes that a shift brings.
void NodeTable::renumber() {
  Renumbering& by = next_renumbering();
  for (size_t i = 0; i < shifts_made_; ++i) {
    BERTH_ASSERT(shifts_[i].rows == by.after);
    by.after += shifts_[i].comes ? 1u : UINT32_MAX;
    by.most = std::max(by.most, by.after);
    by.shifts.push_back(std::move(shifts_[i]));
  }
  for (ColumnId id : present_) {
    // A row's number is where it is.
    if (columns_[id].info.attribute == Attribute::kNodeRow) {
      columns_[id].column->resize(by.after);
    } else {
      columns_[id].column->renumber(by, differ_);
    }
  }
  move_slots(by);
  fill_new_rows(by);
  log_.append(Table::kNodes, kEveryRow, change::kAll, renumbered_);
}

void NodeTable::move_slots(const Renumbering& by) {
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

void NodeTable::fill_new_rows(const Renumbering& by) {
  for (const RowShift& shift : by.shifts) {
    if (!shift.comes || rows_[shift.node] == kNoRow) continue;
    const Row row = rows_[shift.node];
    for (ColumnId id : present_) {
      Stored& stored = columns_[id];
      fill(stored.info, *stored.column, row);
      stored.column->touch(row);
    }
  }
}

// Drops the rows after those in order, of nodes that were added and removed again.
void NodeTable::drop_new_rows() {
  if (rows() == ordered_count_) return;
  for (size_t row = ordered_count_; row < slots_.size(); ++row) rows_[slots_[row]] = kNoRow;
  slots_.resize(ordered_count_);
  for (ColumnId id : present_) columns_[id].column->resize(rows());
  static_cast<void>(next_renumbering());
  log_.append(Table::kNodes, kEveryRow, change::kAll, renumbered_);
}

}  // namespace berth::model
