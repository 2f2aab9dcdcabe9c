#pragma once

// The rows that the change log names since a position, with the inputs that changed.

#include <vector>

#include "engine/model/cluster/node_table.h"
#include "engine/model/storage/change_log.h"

namespace berth::framework {

// One thread.
class RowChanges {
 public:
  // The inputs of one row, whatever the column. A row is named once.
  struct Change {
    model::Row row;
    model::Changes inputs;
  };
  // A change of one column: of a row, or kEveryRow.
  struct ColumnChange {
    model::ColumnId column;
    model::Row row;
  };

  // True if there are so many entries from `position` on that to look at all rows costs less than
  // to read them. `rows`: number of rows now.
  static bool far(const model::ChangeLog& log, uint64_t position, model::Row rows);
  // Reads the entries from `position` to the end of the log, which outlives every use. False: they
  // are too many, or rows were renumbered, so any row may differ in any input.
  [[nodiscard]] bool read(const model::ChangeLog& log, uint64_t position, model::Row rows);

  const std::vector<Change>& rows() const { return rows_; }
  const std::vector<ColumnChange>& columns() const { return columns_; }
  // Inputs that changed for rows that the log does not list.
  model::Changes of_every_row() const { return of_every_row_; }

  // The rows for which a hook's answer may have changed are appended to `rows`; one may occur
  // twice. False: the answers for all rows may have. `inputs`: those of BoundHook::inputs_of_row;
  // `counts`: the columns of counts among them.
  [[nodiscard]] bool concern(model::Changes inputs, const std::vector<model::ColumnId>& counts,
                             std::vector<model::Row>& rows) const;

 private:
  bool read_all(const model::ChangeLog& log, uint64_t position, model::Row rows);

  // What the last read() was about, and its answer.
  const model::ChangeLog* log_ = nullptr;
  uint64_t read_from_ = 0, read_to_ = 0;
  model::Row read_rows_ = 0;
  bool known_ = false;
  model::Changes any_ = 0;  // inputs that changed for some row of rows_
  bool some_all_ = false;   // for some row of rows_ all did
  std::vector<Change> rows_;
  std::vector<ColumnChange> columns_;
  std::vector<uint32_t> place_;  // by row: its place in rows_, from 1; 0 outside of read()
  model::Changes of_every_row_ = 0;
};

}  // namespace berth::framework
