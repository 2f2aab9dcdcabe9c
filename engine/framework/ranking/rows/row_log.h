#pragma once

// A list of rows that differ from what they were, for readers that follow at their own pace.

#include <cstdint>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/node_table.h"

namespace berth::framework {

struct RowLog {
  uint64_t epoch = 0;            // grows when rows differ that are not listed, or are renumbered
  std::vector<model::Row> rows;  // since the epoch began; some of them twice
  size_t seen_before = kNone;    // a reader of so many rows of the epoch before knows this one

  RowLog() { rows.reserve(2 * kFewest); }  // so that decisions do not allocate
  void forget() { begin(kNone); }
  // Rows have other numbers from here on. A reader that saw all rows so far, and moves what it
  // knows of rows as they move, goes on.
  void renumber() {
    BERTH_ASSERT(epoch != 0);
    begin(rows.size());
  }
  // Begins an epoch if the list is too long to be of use among so many rows.
  void shorten(model::Row of) {
    if (rows.size() > kFewest && rows.size() > of / 16) forget();
  }

 private:
  static constexpr size_t kFewest = 512, kNone = SIZE_MAX;

  void begin(size_t seen) {
    ++epoch;
    seen_before = seen;
    rows.clear();
  }
};

// A reader's knowledge of a log. A new one knows nothing: epochs in use begin with 1.
struct RowLogPosition {
  uint64_t epoch = 0;
  size_t seen = 0;  // rows of this epoch

  // False: rows differ that are not listed behind the position. Else it is in the log's epoch.
  [[nodiscard]] bool follow(const RowLog& log) {
    if (epoch + 1 == log.epoch && seen == log.seen_before) *this = {.epoch = log.epoch, .seen = 0};
    return epoch == log.epoch;
  }
  void reach(const RowLog& log) {
    epoch = log.epoch;
    seen = log.rows.size();
  }
};

}  // namespace berth::framework
