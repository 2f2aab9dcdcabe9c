#include "engine/framework/ranking/row_changes.h"

namespace berth::framework {

bool RowChanges::read(const model::ChangeLog& log, uint64_t position, model::Row rows) {
  rows_.clear();
  of_every_row_ = 0;
  if (!log.holds(position)) return false;
  if (place_.size() < rows) place_.resize(rows);
  bool renumbered = false;
  for (; position != log.end(); ++position) {
    const model::ChangeLog::Entry& entry = log.at(position);
    if (entry.table != model::Table::kNodes) continue;
    if (entry.row == model::kEveryRow) {
      of_every_row_ |= entry.changes;
      renumbered |= entry.changes == model::change::kAll;
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
  for (const Change& change : rows_) place_[change.row] = 0;
  return !renumbered;
}

}  // namespace berth::framework
