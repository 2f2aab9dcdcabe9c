#pragma once

// The result of a search: the rows that were evaluated, in order, the filter that refused each, and
// the totals of the feasible ones. All evaluations fill in the same structure, so that all later
// steps share their code and tests can compare results bit by bit.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// The filter of the profile that refused a row.
using Refuser = uint8_t;
inline constexpr Refuser kFeasible = 0;  // else the index of the filter + 1
inline constexpr size_t kMostFilters = 254;
inline constexpr Refuser kByExtender = kMostFilters + 1;  // an extender refused the row

// The initial total of refused rows: so low that no score lifts it near a total that counts.
inline constexpr int64_t kRefusedTotal = INT64_MIN / 2;
// Totals that count are above this; they may be below 0, since weights may.
inline constexpr int64_t kLowestTotal = kRefusedTotal / 2;

struct SearchError {
  model::Row row = 0;
  std::string text;
};

class SearchResult {
 public:
  // Rows [first, second), in the order of the search; two pieces when it wrapped around.
  using Piece = std::pair<model::Row, model::Row>;

  // Empties the result and makes room for `rows` rows. Does not allocate if an earlier search had
  // as many.
  void begin(model::Row rows) {
    if (refuser.size() < rows) {
      // Whole cache lines, so that kernels may write whole blocks.
      size_t padded = (size_t{rows} + 127) / 64 * 64;
      refuser.resize(padded);
      code.resize(padded);
      total.resize(padded);
    }
    pieces.clear();
    listed = false;
    list.clear();
    feasible = refused = 0;
    error.reset();
  }

  // Calls visit(row) for the rows that the search took, in its order.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    if (listed) {
      for (model::Row row : list) visit(row);
      return;
    }
    for (auto [first, last] : pieces)
      for (model::Row row = first; row < last; ++row) visit(row);
  }

  // By row. Defined for the rows that the search took, unspecified for others.
  std::vector<Refuser> refuser;
  std::vector<uint8_t> code;  // berth_code of the refusal
  // After scoring: the weighted sum of final scores; of refused rows a number below kLowestTotal.
  std::vector<int64_t> total;

  bool listed = false;           // true: the rows are in `list`; false: in `pieces`
  std::vector<model::Row> list;  // in the order of the search
  std::vector<Piece> pieces;
  uint32_t feasible = 0;             // number of feasible rows
  uint32_t refused = 0;              // number of refused rows
  std::optional<SearchError> error;  // a filter failed at a row that the serial search reaches
};

// Scores of one Score hook: one number for all feasible rows, or by row. Raw as the plugin returned
// them, final after normalising and before the weight, in 0..100.
struct HookScores {
  size_t hook = 0;  // in the profile's score list
  bool uniform = false;
  int64_t uniform_raw = 0;
  int64_t uniform_final = 0;
  const int64_t* raw_by_row = nullptr;    // valid until the evaluator scores again
  const int64_t* final_by_row = nullptr;  // the same

  int64_t raw(model::Row row) const { return uniform ? uniform_raw : raw_by_row[row]; }
  int64_t final(model::Row row) const { return uniform ? uniform_final : final_by_row[row]; }
};

}  // namespace berth::framework
