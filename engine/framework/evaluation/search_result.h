#pragma once

// The result of a search: the rows that were evaluated, in order, the filter that refused each, and
// the totals of the feasible ones. All evaluations fill in the same structure, so that all later
// steps share their code and tests can compare results bit by bit.
//
// The arrays by row belong to the result, or to the evaluator, which keeps them from one decision
// to the next. Who changes them afterwards calls `own` first.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/abi/score.h"
#include "engine/framework/evaluation/normalise.h"
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

// The highest total of some rows, and how many of them have it.
struct BlockBest {
  int64_t total;
  uint32_t rows;
};

class SearchResult {
 public:
  // Rows [first, second), in the order of the search; two pieces when it wrapped around.
  using Piece = std::pair<model::Row, model::Row>;

  SearchResult() = default;
  SearchResult(SearchResult&&) = default;
  SearchResult(const SearchResult&) = delete;
  SearchResult& operator=(const SearchResult&) = delete;

  // Empties the result and makes room for `rows` rows in arrays of its own. Does not allocate if an
  // earlier search had as many.
  void begin(model::Row rows) {
    rows_ = rows;
    if (own_refuser_.size() < rows) {
      // Whole cache lines, so that kernels may write whole blocks.
      size_t padded = (size_t{rows} + 127) / 64 * 64;
      own_refuser_.resize(padded);
      own_code_.resize(padded);
      own_total_.resize(padded);
    }
    refuser = own_refuser_.data();
    code = own_code_.data();
    total = own_total_.data();
    feasible_bits = nullptr;
    best_of_blocks = best_of_groups = nullptr;
    pieces.clear();
    listed = false;
    list.clear();
    feasible = refused = 0;
    error.reset();
  }

  // From now on the arrays are the result's own, with the values that they have.
  void own() {
    for_each_row([&](model::Row row) {
      own_refuser_[row] = refuser[row];
      own_code_[row] = code[row];
      own_total_[row] = total[row];
    });
    refuser = own_refuser_.data();
    code = own_code_.data();
    total = own_total_.data();
    feasible_bits = nullptr;
    best_of_blocks = best_of_groups = nullptr;
  }
  // True if the search took every row of the cluster.
  bool took_all() const { return !listed && feasible + refused == rows_; }
  int64_t* own_total() { return own_total_.data(); }

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
  Refuser* refuser = nullptr;
  uint8_t* code = nullptr;  // berth_code of the refusal
  // After scoring: the weighted sum of final scores; of refused rows a number below kLowestTotal.
  int64_t* total = nullptr;
  // By block of 64 rows, null if they are not known: the feasible rows of the cluster, searched or
  // not, as bits; the highest total of each block, and of each 64 blocks.
  const uint64_t* feasible_bits = nullptr;
  const BlockBest* best_of_blocks = nullptr;
  const BlockBest* best_of_groups = nullptr;

  bool listed = false;           // true: the rows are in `list`; false: in `pieces`
  std::vector<model::Row> list;  // in the order of the search
  std::vector<Piece> pieces;
  uint32_t feasible = 0;             // number of feasible rows
  uint32_t refused = 0;              // number of refused rows
  std::optional<SearchError> error;  // a filter failed at a row that the serial search reaches

 private:
  model::Row rows_ = 0;
  std::vector<Refuser> own_refuser_;
  std::vector<uint8_t> own_code_;
  std::vector<int64_t> own_total_;
};

// Scores of one Score hook: one number for all feasible rows, or by row. Raw as the plugin returned
// them, final after normalising and before the weight, in 0..100.
struct HookScores {
  size_t hook = 0;  // in the profile's score list
  bool uniform = false;
  int64_t uniform_raw = 0;
  int64_t uniform_final = 0;
  // Valid until the evaluator scores again. Without final scores they follow from the raw ones, by
  // the kind of normalising and the extremes of the feasible rows.
  const int64_t* raw_by_row = nullptr;
  const int64_t* final_by_row = nullptr;
  uint32_t kind = 0;
  int64_t minimum = 0, maximum = 0;

  int64_t raw(model::Row row) const { return uniform ? uniform_raw : raw_by_row[row]; }
  int64_t final(model::Row row) const {
    if (uniform) return uniform_final;
    if (final_by_row != nullptr) return final_by_row[row];
    const int64_t raw = raw_by_row[row];
    return raw == BERTH_NOT_SCORED ? 0 : normalised(kind, raw, minimum, maximum);
  }
};

}  // namespace berth::framework
