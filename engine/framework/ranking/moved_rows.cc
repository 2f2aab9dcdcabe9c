// What rankings keep by row moves as rows do when nodes come and go (model/storage/row_shifts.h).

#include <algorithm>

#include "engine/framework/ranking/totals/totals.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {
namespace {

// True if the hook's answer about a node may differ because its row has another number.
bool reads_row_numbers(const TemplateHook& state, const model::Catalog& catalog) {
  return std::ranges::any_of(state.inputs, [&](model::ColumnId id) {
    return id != 0 && catalog.info(id).attribute == model::Attribute::kNodeRow;
  });
}

// Room for marks of all blocks on the way.
model::BlockBits blocks_of(const RowChanges& changes) {
  model::Row most = 0;
  for (const model::Renumbering* by : changes.renumberings())
    most = std::max({most, by->before, by->most});
  model::BlockBits blocks;
  model::clear(blocks, most);
  return blocks;
}

size_t whole_blocks(model::Row rows) { return (size_t{rows} + kBlock - 1) / kBlock * kBlock; }

}  // namespace

void RowClasses::move(const model::Renumbering& by, model::BlockBits& differ) {
  of_rows_.resize(whole_blocks(std::max(by.before, by.most)), kNone);
  for (const model::RowShift& shift : by.shifts) {
    const RowClass left = of_rows_[shift.at];
    if (!shift.comes && left != kNone) --rows_in_[left];
    apply(shift, of_rows_.data(), differ);
    of_rows_[shift.comes ? shift.at : shift.rows - 1] = kNone;
  }
  of_rows_.resize(whole_blocks(by.after), kNone);
}

// Own verdicts and the classes of rows move. What follows from them is made again: the rows of each
// class, counts, and the verdicts with those of classes, which are late. Flips and moves begin
// another epoch.
bool Verdicts::follow_moves(const RowChanges& changes) {
  if (changes.renumberings().empty()) return true;
  for (const Called& called : called_)
    if (reads_row_numbers(*called.state, cluster_.catalog())) return false;
  model::BlockBits differ = blocks_of(changes);
  for (const model::Renumbering* by : changes.renumberings()) move(*by, differ);
  if (by_class()) {
    class_rows_.build(class_verdicts_.classes(), rows_);
    moves_.forget();
    all_late_ = true;
    late_ = 0;
  }
  count_all();
  return true;
}

void Verdicts::move(const model::Renumbering& by, model::BlockBits& differ) {
  resize(by.before);
  resize(by.most);
  for (const model::RowShift& shift : by.shifts) {
    for (Kept& kept : filters_)
      if (kept.refuses()) apply(shift, kept.verdicts.data(), differ);
    apply(shift, refuser_.data(), differ);
    apply(shift, code_.data(), differ);
    if (!shift.comes) continue;
    refuser_[shift.at] = kFeasible;
    code_[shift.at] = 0;
  }
  if (by_class()) class_verdicts_.move(by, differ);
  resize(by.after);
}

// A block is looked at again if any of its values differs from what it was before the moves. Where
// there are classes, they are paired again, and the best totals and the extremes of all blocks are
// made again from the totals and raw scores that moved; nobody is asked.
bool Totals::follow_moves(const RowChanges& changes) {
  if (changes.renumberings().empty()) return true;
  for (const Called& called : called_)
    if (reads_row_numbers(*called.state, cluster_.catalog())) return false;
  if (!touched_blocks_.empty() || !touched_.empty() || !moved_.empty()) forget_touched();
  model::BlockBits differ = blocks_of(changes);
  const RowBits before = open_;
  for (const model::Renumbering* by : changes.renumberings()) move(*by, differ);
  for (uint32_t block = 0; block < open_.size(); ++block)
    if (open_[block] != (block < before.size() ? before[block] : 0))
      model::mark(differ, block * kBlock);
  model::for_each_block(differ, [&](uint32_t block) {
    if (block < open_.size()) touch_block(block);
  });
  if (by_class()) classes_stand_ = false;
  for (Kept& kept : hooks_) kept.asked |= !kept.zero && kept.normalises();
  return true;
}

void Totals::move(const model::Renumbering& by, model::BlockBits& differ) {
  resize(by.before);
  resize(by.most);
  for (const model::RowShift& shift : by.shifts) {
    apply(shift, total_.data(), differ);
    for (Kept& kept : hooks_)
      if (!kept.zero) kept.raw.move(shift, differ);
    apply_to_bits(shift, open_.data());
    model::mark(differ, shift.at);
  }
  if (by_class()) class_scores_.move(by, differ);
  resize(by.after);
}

}  // namespace berth::framework
