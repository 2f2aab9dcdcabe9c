#pragma once

// A list of rows that differ from what they were, for readers that follow at their own pace.

#include <cstdint>
#include <vector>

#include "engine/model/cluster/node_table.h"

namespace berth::framework {

struct RowLog {
  uint64_t epoch = 0;            // grows when rows differ that are not listed
  std::vector<model::Row> rows;  // since the epoch began; some of them twice

  RowLog() { rows.reserve(2 * kFewest); }  // so that decisions do not allocate
  void forget() {
    ++epoch;
    rows.clear();
  }
  // Begins an epoch if the list is too long to be of use among so many rows.
  void shorten(model::Row of) {
    if (rows.size() > kFewest && rows.size() > of / 16) forget();
  }

 private:
  static constexpr size_t kFewest = 512;
};

// What a reader knows of a log. A new one knows nothing: epochs in use begin with 1.
struct RowLogPosition {
  uint64_t epoch = 0;
  size_t seen = 0;  // rows of this epoch

  bool follows(const RowLog& log) const { return epoch == log.epoch; }
  void reach(const RowLog& log) {
    epoch = log.epoch;
    seen = log.rows.size();
  }
};

}  // namespace berth::framework
