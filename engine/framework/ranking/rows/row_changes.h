#pragma once

// The rows that the change log names since a position, with the inputs that changed, and how rows
// moved meanwhile. Rows are named by where they are now.
//
// Mostly they are the last ones of RecentRows, so that neither the log nor the rows are looked at
// one by one.

#include <span>
#include <vector>

#include "engine/framework/hooks/recent_rows.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/columns/change_log.h"

namespace berth::framework {

// Of lists of the rows that changed since the last decision of a kind of pods: mostly fewer.
inline constexpr model::Row kUsualRows = 256;

// One thread.
class RowChanges {
 public:
  // The inputs of one row, whatever the column. A row may be named twice, with other inputs.
  struct Change {
    model::Row row;
    model::Changes inputs;
  };

  // True if there are so many entries from `position` on that to look at all rows costs less than
  // to read them. `rows`: number of rows now.
  static bool far(const model::ChangeLog& log, uint64_t position, model::Row rows);
  // Reads the entries from `position` to the end of the log, which outlives every use. False: they
  // are too many, or nobody knows how rows moved, so any row may differ in any input. `nodes`: as
  // the log says.
  [[nodiscard]] bool read(const model::NodeTable& nodes, const model::ChangeLog& log,
                          uint64_t position);

  // The changes of rows since then, the oldest first: a reader moves by it what it keeps by row.
  // Rows that are new have a change of all inputs. Valid until the table is ordered again.
  const std::vector<const model::Renumbering*>& renumberings() const { return renumberings_; }
  // True if all that changed is the inputs of rows that were there before, of any column: no row
  // came, went or moved, and no change is of every row. Then for_each_named() calls visit(row) for
  // each of these rows, for some of them twice.
  [[nodiscard]] bool rows_are_named() const {
    return !some_all_ && of_every_row_ == 0 && renumberings_.empty() && !column_of_every_row_;
  }
  size_t named() const { return (listed_ ? rows_.size() : range_.size()) + columns().size(); }
  template <typename Visit>
  void for_each_named(Visit&& visit) const {
    if (listed_) {
      for (const Change& change : rows_) visit(change.row);
    } else {
      for (const model::Row row : recent_.rows(range_)) visit(row);
    }
    for (const ColumnChange& change : columns()) visit(change.row);
  }
  // Calls visit(row) for the rows of which all inputs changed: all new ones, and some others.
  template <typename Visit>
  void for_each_new(Visit&& visit) const {
    if (!some_all_) return;
    list();
    for (const Change& change : rows_)
      if (change.inputs == model::change::kAll) visit(change.row);
  }

  // True if a hook with these inputs is best asked about all the rows at once, where they are
  // neighbours: in recent(), at the places of neighbours(), some of which are stale, and some of
  // rows that did not change. `counts` as for concern().
  [[nodiscard]] bool concerns_neighbours(model::Changes inputs,
                                         const std::vector<model::ColumnId>& counts) const {
    return counts.empty() && dense_ && (of_each_row_ & inputs) != 0;
  }
  RecentRows& recent() { return recent_; }
  const RecentRows::Range& neighbours() const { return neighbours_; }

  // False: no answer of a hook changed. `counts` as for concern().
  [[nodiscard]] bool may_concern(model::Changes inputs,
                                 const std::vector<model::ColumnId>& counts) const {
    return ((of_every_row_ | any_) & inputs) != 0 || some_all_ ||
           (!counts.empty() && some_changed(counts));
  }
  // The rows for which a hook's answer may have changed are appended to `rows`; one may occur
  // twice. False: the answers for all rows may have. `inputs`: those of BoundHook::inputs_of_row;
  // `counts`: the columns of counts among them.
  [[nodiscard]] bool concern(model::Changes inputs, const std::vector<model::ColumnId>& counts,
                             std::vector<model::Row>& rows) const;

 private:
  using ColumnChange = RecentRows::ColumnChange;

  std::span<const ColumnChange> columns() const {
    return recent_ones_ ? recent_.columns_since(read_from_) : std::span(columns_);
  }
  // Calls visit(row) for the changes of one column.
  template <typename Visit>
  void for_each_of(model::ColumnId column, Visit&& visit) const {
    if (recent_ones_) return recent_.for_each_of(column, read_from_, visit);
    for (const ColumnChange& change : columns_)
      if (change.column == column) visit(change.row);
  }
  bool some_changed(const std::vector<model::ColumnId>& columns) const;
  bool read_all(const model::NodeTable& nodes, const model::ChangeLog& log, uint64_t position);
  [[nodiscard]] bool take_recent(model::Row rows);
  void list() const;
  void add(model::Row row, model::Changes inputs);
  [[nodiscard]] bool renumber(const model::Renumbering* by);
  void move(const model::RowShift& shift);

  // The question of the last read(), and its answer.
  const model::ChangeLog* log_ = nullptr;
  uint64_t read_from_ = 0, read_to_ = 0;
  bool known_ = false;
  model::Changes any_ = 0;  // inputs that changed for some row of rows_
  bool some_all_ = false;   // for some row of rows_ all did
  std::vector<const model::Renumbering*> renumberings_;
  size_t shifts_ = 0;  // in them
  mutable std::vector<Change> rows_;
  mutable bool listed_ = true;  // rows_ are those that changed
  bool recent_ones_ = false;  // the changes are those of recent_; else those of rows_ and columns_
  std::vector<ColumnChange> columns_;
  std::vector<uint32_t> place_;  // by row: its place in rows_, from 1; 0 outside of read()
  model::Changes of_every_row_ = 0;
  bool column_of_every_row_ = false;  // some change of a column is of every row
  RecentRows recent_;
  RecentRows::Range range_;         // of the rows that changed
  RecentRows::Range neighbours_;    // the same, or some places more
  model::Changes of_each_row_ = 0;  // that changed for all rows
  bool dense_ = false;              // the rows are those of range_, of which few are stale
};

}  // namespace berth::framework
