// Moves what rankings keep by row, where nodes come and go (model/columns/row_shifts.h).

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

// Moves the classes of rows. Rows that come are in none. Calls leaves(class) for each row that
// goes.
template <typename Leaves>
void move_classes(const model::Renumbering& by, std::vector<RowClass>& of_rows,
                  model::BlockBits& differ, Leaves&& leaves) {
  of_rows.resize(whole_blocks(std::max(by.before, by.most)), RowClasses::kNone);
  for (const model::RowShift& shift : by.shifts) {
    const RowClass left = of_rows[shift.at];
    if (!shift.comes && left != RowClasses::kNone) leaves(left);
    apply(shift, of_rows.data(), differ);
    const model::Row empty = shift.comes ? shift.at : shift.rows - 1;
    of_rows[empty] = RowClasses::kNone;
    model::mark(differ, empty);
  }
  of_rows.resize(whole_blocks(by.after), RowClasses::kNone);
}

}  // namespace

void RowClasses::move(const model::Renumbering& by, model::BlockBits& differ) {
  move_classes(by, of_rows_, differ, [&](RowClass left) { --rows_in_[left]; });
}

void TotalClasses::move(const model::Renumbering& by, model::BlockBits& differ) {
  if (kind_ == Kind::kBoth) move_classes(by, of_rows_, differ, [](RowClass) {});
}

// Own verdicts and the classes of rows move. What follows from them is made again: counts, the rows
// of each class in blocks where classes differ, and the verdicts with those of classes, which are
// late.
bool Verdicts::follow_moves(const RowChanges& changes) {
  if (changes.renumberings().empty()) return true;
  for (const Called& called : called_)
    if (reads_row_numbers(*called.state, cluster_.catalog())) return false;
  model::BlockBits classes = blocks_of(changes), verdicts = classes;
  for (const model::Renumbering* by : changes.renumberings()) move(*by, classes, verdicts);
  if (by_class()) {
    class_rows_.build(class_verdicts_.classes(), rows_, classes);
    log_blocks(classes);
    whole_.all_are_late();
  }
  count_all();
  return true;
}

// Lists a row of each of these blocks: readers look at its block, and move the classes of rows
// themselves.
void Verdicts::log_blocks(const model::BlockBits& blocks) {
  moves_.renumber();
  model::for_each_block(blocks, [&](uint32_t block) {
    if (block * kBlock < rows_) moves_.rows.push_back(block * kBlock);
  });
}

// Marks the blocks in which classes, and verdicts, differ.
void Verdicts::move(const model::Renumbering& by, model::BlockBits& classes,
                    model::BlockBits& verdicts) {
  resize(by.before);
  resize(by.most);
  for (const model::RowShift& shift : by.shifts) {
    for (Kept& kept : filters_)
      if (kept.refuses()) apply(shift, kept.verdicts.data(), verdicts);
    own_.move(shift, verdicts);
  }
  if (by_class()) class_verdicts_.move(by, classes);
  resize(by.after);
}

// A block is looked at again if any of its values differs from what it was before the moves, or a
// class: those of filters by what the verdicts list. Mostly few do, since a row takes the values of
// the next row of its zone.
bool Totals::follow_moves(const RowChanges& changes) {
  if (changes.renumberings().empty()) return true;
  for (const Called& called : called_)
    if (reads_row_numbers(*called.state, cluster_.catalog())) return false;
  TouchedRows& touched = scores_.touched();
  if (!touched.empty() || !moved_.empty()) forget_touched();
  model::BlockBits differ = blocks_of(changes);
  const RowBits before = open_.bits();
  for (const model::Renumbering* by : changes.renumberings()) move(*by, differ);
  for (uint32_t block = 0; block < open_.blocks(); ++block)
    if (open_[block] != (block < before.size() ? before[block] : 0))
      model::mark(differ, block * kBlock);
  model::for_each_block(differ, [&](uint32_t block) {
    if (block < open_.blocks()) touched.touch_block(block);
  });
  for (KeptScore& kept : scores_.kept()) kept.asked |= !kept.zero && kept.normalises();
  return true;
}

void Totals::move(const model::Renumbering& by, model::BlockBits& differ) {
  resize(by.before);
  resize(by.most);
  for (const model::RowShift& shift : by.shifts) {
    apply(shift, total_.data(), differ);
    scores_.move(shift, differ);
    open_.move(shift);
    model::mark(differ, shift.at);
  }
  if (by_class()) class_scores_.move(by, differ);
  classes_.move(by, differ);
  resize(by.after);
}

}  // namespace berth::framework
