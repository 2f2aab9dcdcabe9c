#include "engine/framework/ranking/row_changes.h"

#include <algorithm>

namespace berth::framework {

namespace {

constexpr model::Changes kOfNoColumn = model::change::kNominated | model::change::kStarted;

}  // namespace

bool RowChanges::far(const model::ChangeLog& log, uint64_t position, model::Row rows) {
  constexpr uint64_t kFewest = 256;
  return !log.holds(position) || log.end() - position > rows / 2 + kFewest;
}

bool RowChanges::read(const model::ChangeLog& log, uint64_t position, model::Row rows) {
  // The verdicts and the totals of a ranking mostly ask for the same changes.
  if (log_ == &log && read_from_ == position && read_to_ == log.end() && read_rows_ == rows)
    return known_;
  log_ = &log;
  read_from_ = position;
  read_to_ = log.end();
  read_rows_ = rows;
  return known_ = read_all(log, position, rows);
}

bool RowChanges::read_all(const model::ChangeLog& log, uint64_t position, model::Row rows) {
  any_ = 0;
  some_all_ = false;
  rows_.clear();
  columns_.clear();
  of_every_row_ = 0;
  if (far(log, position, rows)) return false;
  if (place_.size() < rows) place_.resize(rows);
  bool renumbered = false;
  for (; position != log.end(); ++position) {
    const model::ChangeLog::Entry& entry = log.at(position);
    if (entry.table != model::Table::kNodes || (entry.changes & ~kOfNoColumn) == 0) continue;
    if (entry.row == model::kEveryRow && entry.changes == model::change::kAll) {
      renumbered = true;
    } else if (entry.domain != 0) {
      columns_.push_back({entry.domain, entry.row});
      renumbered |= entry.row >= rows && entry.row != model::kEveryRow;
    } else if (entry.row == model::kEveryRow) {
      of_every_row_ |= entry.changes;
    } else if (entry.row < rows) {
      uint32_t& place = place_[entry.row];
      if (place == 0) {
        rows_.push_back({entry.row, 0});
        place = static_cast<uint32_t>(rows_.size());
      }
      rows_[place - 1].inputs |= entry.changes;
    } else {
      renumbered = true;  // the row is gone; the entry that says so follows
    }
  }
  for (const Change& change : rows_) {
    place_[change.row] = 0;
    any_ |= change.inputs;
    some_all_ |= change.inputs == model::change::kAll;
  }
  return !renumbered;
}

bool RowChanges::concern(model::Changes inputs, const std::vector<model::ColumnId>& counts,
                         std::vector<model::Row>& rows) const {
  if ((of_every_row_ & inputs) != 0) return false;
  if (counts.empty() && !some_all_ && (any_ & inputs) == 0) return true;
  for (const Change& change : rows_)
    if ((change.inputs & inputs) != 0 || change.inputs == model::change::kAll)
      rows.push_back(change.row);
  if (counts.empty()) return true;
  for (const ColumnChange& change : columns_) {
    if (std::ranges::find(counts, change.column) == counts.end()) continue;
    if (change.row == model::kEveryRow) return false;
    rows.push_back(change.row);
  }
  return true;
}

}  // namespace berth::framework
