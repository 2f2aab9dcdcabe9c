#pragma once

// The rows that changed last, in the order of their changes, with copies of their values.
//
// Pods of many kinds that take turns find many changed rows each, and mostly the same ones. Here
// the change log is read once for all of them, and the values of the rows that changed since some
// position are neighbours: a hook's columns for them are one copy of memory each, where the rows
// themselves lie anywhere.
//
// A row that changes again is listed again, and its earlier place is stale: it may hold an older
// value. The list goes back to the last time that rows were renumbered, or that a change named no
// row, and no further than some number of changes.
//
// Changes of one column (counts by row) are in a list of their own, in which those of each column
// are linked. Where a thousand kinds of pods count other pods, each reads a few of many thousand.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/cluster/node_table.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/gathered.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class RecentRows {
 public:
  // Places in the list. Valid until follow().
  struct Range {
    size_t begin = 0, end = 0;
    size_t size() const { return end - begin; }
  };

  // Reads the log, which is always the same, to its end.
  void follow(const model::NodeTable& nodes, const model::ChangeLog& log);
  // Sets `range` to the places of the rows that changed from this position of the log on; some
  // rows that did not may be among them. False: the list does not go back so far. Precondition:
  // follow() was called since the last change.
  [[nodiscard]] bool since(uint64_t position, Range& range) const;

  // A change of one column, of a row or of kEveryRow.
  struct ColumnChange {
    model::ColumnId column = 0;
    model::Row row = 0;
    uint64_t position = 0;  // in the log
    uint64_t before = 0;    // number of the column's change before this one; 0: not known
  };
  // All changes of columns from this position of the log on, the oldest first. Precondition of this
  // and of the next ones: since() is true for the position.
  std::span<const ColumnChange> columns_since(uint64_t position) const;
  // True if one of them is of every row.
  bool every_row_since(uint64_t position) const { return of_every_row_ > position; }
  // Calls visit(row) for each change of the column from this position on, the newest first.
  template <typename Visit>
  void for_each_of(model::ColumnId column, uint64_t position, Visit&& visit) const {
    uint64_t number = column < latest_of_.size() ? latest_of_[column] : 0;
    while (number >= first_change_ && changes_[number - first_change_].position >= position) {
      const ColumnChange& change = changes_[number - first_change_];
      visit(change.row);
      number = change.before;
    }
  }

  // Of all places of a range.
  struct Summary {
    model::Changes any = 0;                     // inputs of some row
    model::Changes each = model::change::kAll;  // of each
    bool some_all = false;                      // all inputs of some row
    size_t stale = 0;                           // places
  };
  Summary summary(const Range& range) const;

  model::Row row(size_t place) const { return rows_[place]; }
  std::span<const model::Row> rows(const Range& range) const {
    return std::span(rows_).subspan(range.begin, range.size());
  }
  model::Changes inputs(size_t place) const { return inputs_[place]; }
  // True if the row did not change after that.
  bool latest(size_t place) const { return latest_[rows_[place]] == first_ + place; }
  // True if the row is listed again later, with no fewer inputs.
  bool repeated(size_t place) const {
    const uint64_t last = latest_[rows_[place]];
    return last != first_ + place && (inputs_[place] & ~inputs_[last - first_]) == 0;
  }
  // The values of a column by place, which are kept from now on. `width()` bytes each; those of
  // places that are not stale are the column's. Null: they are not kept, because the column has
  // lists, or there are too many. Precondition: each change of the column's values is in the log,
  // and the column exists until forget().
  const std::byte* values(const model::Column& column);
  // Asks for the memory of what is written when the row changes.
  void prefetch(model::Row row) const {
    if (row < latest_.size()) __builtin_prefetch(&latest_[row]);
  }
  // Forgets all columns.
  void forget() { copies_.clear(); }

 private:
  static constexpr size_t kMostCopies = 32;
  struct Copy {
    const model::Column* column;
    model::AlignedBytes values;  // by place
  };

  Summary summary_of_many(const Range& range) const;
  void restart(uint64_t position);
  void add(model::Row row, model::Changes inputs, size_t begin);
  void add_change(const model::ChangeLog::Entry& entry, uint64_t position);
  void make_room();
  void make_room(Copy& copy) const;
  static void copy(Copy& copy, const std::vector<model::Row>& rows, size_t begin, size_t end);

  uint64_t read_to_ = 0;     // position in the log
  uint64_t known_from_ = 0;  // position from which on the list is whole
  size_t capacity_ = 0;      // places; half of them are kept when they are full
  uint64_t first_ = 1;       // number of the first place, over the list's whole life
  std::vector<model::Row> rows_;
  std::vector<model::Changes> inputs_;
  std::vector<uint64_t> read_;    // the position up to which the log was read when it was listed
  std::vector<uint64_t> before_;  // number of the row's place before that; below first_: none
  std::vector<uint64_t> latest_;  // by row: number of its latest place; below first_: none
  std::vector<Copy> copies_;
  // Changes of columns. Numbers are over the list's whole life.
  std::vector<ColumnChange> changes_;
  uint64_t first_change_ = 1;        // number of changes_[0]
  std::vector<uint64_t> latest_of_;  // by column: number of its latest change; below that: none
  uint64_t of_every_row_ = 0;        // position behind the last change of every row
};

}  // namespace berth::framework
