#include "engine/framework/ranking/rows/row_changes.h"

#include <algorithm>

namespace berth::framework {

namespace {

constexpr uint64_t kFewest = 256;  // rows, or entries, that are read whatever the rows

}  // namespace

bool RowChanges::far(const model::ChangeLog& log, uint64_t position, model::Row rows) {
  return !log.holds(position) || log.end() - position > rows / 2 + kFewest;
}

bool RowChanges::read(const model::NodeTable& nodes, const model::ChangeLog& log,
                      uint64_t position) {
  // The verdicts and the totals of a ranking mostly ask for the same changes.
  if (log_ == &log && read_from_ == position && read_to_ == log.end()) return known_;
  log_ = &log;
  read_from_ = position;
  read_to_ = log.end();
  any_ = 0;
  some_all_ = false;
  renumberings_.clear();
  shifts_ = 0;
  rows_.clear();
  rows_.reserve(kFewest);  // so that decisions do not allocate
  listed_ = true;
  columns_.clear();
  of_every_row_ = 0;
  column_of_every_row_ = false;
  dense_ = false;
  recent_.follow(nodes, log);
  recent_ones_ = recent_.since(position, range_);
  return known_ = recent_ones_ ? take_recent(nodes.rows()) : read_all(nodes, log, position);
}

// Takes the rows of range_. False: they are too many.
bool RowChanges::take_recent(model::Row rows) {
  if (range_.size() > rows / 4 * 3 + kFewest) return false;
  const RecentRows::Summary summary = recent_.summary(range_);
  any_ = summary.any;
  of_each_row_ = summary.each;
  some_all_ = summary.some_all;
  column_of_every_row_ = recent_.every_row_since(read_from_);
  // A gathered row costs more than one that lies where it is asked about.
  constexpr size_t kFewestNeighbours = 4;
  dense_ = range_.size() >= kFewestNeighbours && summary.stale < range_.size() / 2;
  listed_ = false;
  // Values of 8 bytes then lie where a call may read them, and need not be copied.
  constexpr size_t kAligned = model::AlignedBytes::kAlignment / sizeof(uint64_t), kMany = 64;
  neighbours_ = range_;
  if (range_.size() >= kMany) neighbours_.begin -= range_.begin % kAligned;
  return true;
}

// Makes rows_ of range_.
void RowChanges::list() const {
  if (listed_) return;
  listed_ = true;
  for (size_t place = range_.begin; place < range_.end; ++place)
    if (!recent_.repeated(place)) rows_.push_back({recent_.row(place), recent_.inputs(place)});
}

void RowChanges::add(model::Row row, model::Changes inputs) {
  if (place_.size() <= row) place_.resize(row + size_t{1});
  uint32_t& place = place_[row];
  if (place == 0) {
    rows_.push_back({row, 0});
    place = static_cast<uint32_t>(rows_.size());
  }
  rows_[place - 1].inputs |= inputs;
}

bool RowChanges::read_all(const model::NodeTable& nodes, const model::ChangeLog& log,
                          uint64_t position) {
  if (far(log, position, nodes.rows())) return false;
  bool known = true;  // where rows are now
  for (; known && position != log.end(); ++position) {
    const model::ChangeLog::Entry& entry = log.at(position);
    if (entry.table != model::Table::kNodes || (entry.changes & ~model::change::kOfNoColumn) == 0)
      continue;
    if (entry.row == model::kEveryRow && entry.changes == model::change::kAll) {
      known = renumber(nodes.order().renumbering(entry.domain));
    } else if (entry.domain != 0) {
      columns_.push_back({.column = entry.domain, .row = entry.row});
      column_of_every_row_ |= entry.row == model::kEveryRow;
    } else if (entry.row == model::kEveryRow) {
      of_every_row_ |= entry.changes;
    } else {
      add(entry.row, entry.changes);
    }
  }
  for (const Change& change : rows_) {
    place_[change.row] = 0;
    any_ |= change.inputs;
    some_all_ |= change.inputs == model::change::kAll;
  }
  return known;
}

// Takes over the new numbers of the rows that were read so far. False: they are not known, or so
// many rows moved so often that to ask about all of them costs less.
bool RowChanges::renumber(const model::Renumbering* by) {
  constexpr size_t kMostShifts = 8, kMostMoved = 1 << 16;
  if (by == nullptr) return false;
  shifts_ += by->shifts.size();
  if (shifts_ > kMostShifts || rows_.size() * by->shifts.size() > kMostMoved) return false;
  renumberings_.push_back(by);
  for (Change& change : rows_) {
    place_[change.row] = 0;
    if (change.row >= by->before) change.row = model::kNoRow;
  }
  for (ColumnChange& change : columns_)
    if (change.row >= by->before && change.row != model::kEveryRow) change.column = 0;
  for (const model::RowShift& shift : by->shifts) move(shift);
  std::erase_if(columns_, [](const ColumnChange& change) { return change.column == 0; });
  std::vector<Change> moved;
  std::swap(moved, rows_);
  for (const Change& change : moved)
    if (change.row != model::kNoRow) add(change.row, change.inputs);
  return true;
}

void RowChanges::move(const model::RowShift& shift) {
  for (Change& change : rows_)
    if (change.row != model::kNoRow) change.row = shift.moved(change.row);
  for (ColumnChange& change : columns_) {
    if (change.row == model::kEveryRow || change.column == 0) continue;
    change.row = shift.moved(change.row);
    if (change.row == model::kNoRow) change.column = 0;
  }
  if (shift.comes) rows_.push_back({shift.at, model::change::kAll});
}

bool RowChanges::some_changed(const std::vector<model::ColumnId>& columns) const {
  bool changed = false;
  for (const model::ColumnId column : columns)
    for_each_of(column, [&](model::Row) { changed = true; });
  return changed;
}

bool RowChanges::concern(model::Changes inputs, const std::vector<model::ColumnId>& counts,
                         std::vector<model::Row>& rows) const {
  if ((of_every_row_ & inputs) != 0) return false;
  bool every_row = false;
  for (const model::ColumnId column : counts)
    for_each_of(column, [&](model::Row row) {
      every_row |= row == model::kEveryRow;
      if (!every_row) rows.push_back(row);
    });
  if (every_row) return false;
  if (!some_all_ && (any_ & inputs) == 0) return true;
  if (!listed_ && range_.size() == 1) {  // most often one node has one more pod
    rows.push_back(recent_.row(range_.begin));
    return true;
  }
  list();
  for (const Change& change : rows_)
    if ((change.inputs & inputs) != 0 || change.inputs == model::change::kAll)
      rows.push_back(change.row);
  return true;
}

}  // namespace berth::framework
