#pragma once

// The table of a sweep: a row for each group of combinations that differ in nothing but draws.

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/macro/sweep/grid.h"
#include "bench/macro/sweep/objective.h"

namespace berth::bench {

// The figures of the table, and those of them that make the front.
struct SweepFigures {
  std::vector<Objective> columns;
  std::vector<size_t> front;  // indices of columns, each once

  // The usual columns, and those of `front` beside them. An empty list: the usual front. Throws
  // UsageError for a name that is none, or is listed twice.
  static SweepFigures with_front(const std::vector<std::string>& front, const std::string& option);
  std::vector<std::string> front_names() const;
};

struct SweepRow {
  SettingsGrid::Settings settings;            // SettingsGrid::row()
  std::vector<uint64_t> combinations;         // those that were measured to their end
  uint64_t expected = 0;                      // as many as there should be
  std::vector<std::optional<double>> values;  // by column: the mean over the combinations
  bool front = false;

  bool complete() const { return combinations.size() == expected; }
};

// The rows that have a combination that was measured to its end, in the order of the grid. Rows
// that lack combinations are not on the front: their means are of other draws. Requires: each
// result has its `combination`, which the grid has, and `interrupted`.
std::vector<SweepRow> rows_of(const SettingsGrid& grid, const rapidjson::Value& results,
                              const SweepFigures& figures);

}  // namespace berth::bench
