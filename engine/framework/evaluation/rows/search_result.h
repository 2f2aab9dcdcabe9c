#pragma once

// The result of a search: the rows that were evaluated, in order, the filter that refused each, and
// the totals of the feasible ones. All evaluations fill in the same structure, so that all later
// steps share their code and tests can compare results bit by bit.
//
// The arrays by row belong to the result, or to the evaluator, which keeps them from one decision
// to the next. Who changes them afterwards calls `own` first.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "berth/abi/score.h"
#include "engine/base/assert.h"
#include "engine/framework/evaluation/scores/normalise.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// Rows of one class have the same score from some hooks, see ranking/rows/row_classes.h.
using RowClass = uint8_t;

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
  Refuser filter = kFeasible;  // which failed
  std::string text;
};

// A total that an evaluator keeps from one decision to the next (ranking/totals/totals.h): with
// many kinds of pods, totals are most of what a decision reads from memory.
using KeptTotal = int32_t;

// The highest total of some rows, and how many of them have it.
struct BlockBest {
  int64_t total;
  uint32_t rows;

  // Takes in other rows, so many of which have the highest total among them.
  void add(int64_t other, uint32_t count) {
    if (other > total) *this = {other, 0};
    if (other == total) rows += count;
  }
};

// Verdicts that are worked out when somebody reads them.
class LateVerdicts {
 public:
  virtual void settle() = 0;

 protected:
  ~LateVerdicts() = default;
};

// One part of the verdict of each row. The first access settles verdicts that are late.
class VerdictColumn {
 public:
  uint8_t& operator[](size_t row) const { return data()[row]; }
  uint8_t* operator+(size_t rows) const { return data() + rows; }
  // `data` and `late` outlive the use of the column. `late` may be null.
  void point_to(uint8_t* data, LateVerdicts* late = nullptr) {
    data_ = data;
    late_ = late;
  }
  bool points_to(const uint8_t* data) const { return data_ == data; }

 private:
  uint8_t* data() const {
    if (late_ != nullptr) late_->settle();
    return data_;
  }

  uint8_t* data_ = nullptr;
  LateVerdicts* late_ = nullptr;
};

// The feasible rows of a cluster: those that are open and whose class is not refused.
struct FeasibleRows {
  const uint64_t* open = nullptr;     // a word for each block of 64 rows; null: nothing is known
  const uint64_t* classes = nullptr;  // at block * stride + class: the rows of the class
  uint32_t stride = 1;
  uint32_t count = 1;  // of classes, at most 64
  // A bit for each class. Both are set by refuse().
  uint64_t refused = 0;
  uint64_t fewer = 0;  // the refused classes, or the others, whichever are fewer

  bool known() const { return open != nullptr; }
  // Precondition: `count` is set, unless none are refused.
  void refuse(uint64_t these) {
    BERTH_ASSERT(these == 0 || count - 1 < 64);
    refused = these;
    if (refused == 0) return;
    fewer = std::popcount(refused) < std::popcount(allowed()) ? refused : allowed();
  }
  // The classes that are not refused.
  uint64_t allowed() const { return ~refused & ~uint64_t{0} >> (64 - count); }
  // A bit for each feasible row of a block. Precondition: known().
  uint64_t word(size_t block) const {
    if (refused == 0) return open[block];
    uint64_t of_fewer = 0;
    for (uint64_t rest = fewer; rest != 0; rest &= rest - 1)
      of_fewer |= classes[block * stride + static_cast<size_t>(std::countr_zero(rest))];
    return open[block] & (fewer == refused ? ~of_fewer : of_fewer);
  }
  // Writes the words of some blocks. Precondition: some class is refused.
  void write_words(size_t first, size_t blocks, uint64_t* out) const {
    if (!std::has_single_bit(fewer)) {
      for (size_t i = 0; i < blocks; ++i) out[i] = word(first + i);
      return;
    }
    const uint64_t* const of_class = classes + static_cast<size_t>(std::countr_zero(fewer));
    const uint64_t flip = fewer == refused ? ~uint64_t{0} : 0;
    for (size_t i = 0; i < blocks; ++i)
      out[i] = open[first + i] & (of_class[(first + i) * stride] ^ flip);
  }
  // The words of all blocks; null if they have to be asked for one by one.
  const uint64_t* words() const { return refused == 0 ? open : nullptr; }
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
      own_totals_.resize(padded);
    }
    point_to_own();
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
      own_totals_[row] = refuser[row] == kFeasible ? total(row) : kRefusedTotal;
    });
    point_to_own();
  }
  // Makes room for more rows. Precondition: the arrays are the result's own.
  void grow(model::Row rows) {
    BERTH_ASSERT(refuser.points_to(own_refuser_.data()));
    rows_ = rows;
    if (own_refuser_.size() >= rows) return;
    own_refuser_.resize(rows);
    own_code_.resize(rows);
    own_totals_.resize(rows);
    point_to_own();
  }
  // From now on `totals` are whole, and nothing is known of blocks.
  void forget_ranked() { ranked = {}; }
  // True if the search took every row of the cluster.
  bool took_all() const { return !listed && feasible + refused == rows_; }
  int64_t* own_totals() { return own_totals_.data(); }

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

  // The only feasible row. Precondition: feasible is 1.
  model::Row only_feasible() const;

  // Calls visit(block, within) for the blocks of 64 rows of which the search took some: `within`
  // has a bit for each of these. Precondition: !listed.
  template <typename Visit>
  void for_each_block(Visit&& visit) const {
    BERTH_ASSERT(!listed);
    constexpr model::Row kRows = 64;
    for (auto [first, last] : pieces)
      for (model::Row row = first; row < last;) {
        const model::Row begin = row / kRows * kRows, end = std::min(last, begin + kRows);
        uint64_t within = ~uint64_t{0} << (row - begin);
        if (end - begin < kRows) within &= ~(~uint64_t{0} << (end - begin));
        visit(static_cast<uint32_t>(begin / kRows), within);
        row = end;
      }
  }

  // A bit for each row of a block of 64 that is feasible; of rows that were not searched, any.
  uint64_t feasible_of(uint32_t block) const;

  // By row. Defined for the rows that the search took, unspecified for others.
  VerdictColumn refuser;  // a Refuser
  VerdictColumn code;     // berth_code of the refusal
  // After scoring: the weighted sum of final scores. Of refused rows a number below kLowestTotal,
  // or anything if `feasible_rows` are known. Unspecified if a ranking has the totals.
  int64_t* totals = nullptr;
  // The feasible rows of the cluster, searched or not; rows that were not may be as they were
  // earlier.
  FeasibleRows feasible_rows;

  // The knowledge of a ranking about the totals of feasible rows. Precondition of the arrays:
  // feasible_rows are known.
  struct Ranked {
    // By row, without the part of the row's class. Null: no totals are kept, and those of the
    // result count.
    const KeptTotal* totals = nullptr;
    // By row. Null: all feasible rows are of one class, which counts as class 0 below.
    const RowClass* classes = nullptr;
    // The part of the total that the rows of a class share: that of the one class; by class.
    int64_t part = 0;
    const int64_t* parts = nullptr;
    uint64_t allowed = 1;  // a bit for each class that may have feasible rows
    // At block * stride + class: the highest of `totals` of the block's open rows of that class,
    // and the number of these rows; 0 rows: the class has none there. The same for each 64 blocks.
    // Null: not known.
    uint32_t stride = 1;
    const BlockBest* blocks = nullptr;
    const BlockBest* groups = nullptr;
    // By block: a bit for each class that has open rows there. Null: not known.
    const uint64_t* present = nullptr;

    // The classes of a block that have feasible rows. Precondition: `present` is known.
    uint64_t classes_of(size_t block) const { return present[block] & allowed; }
  };
  Ranked ranked;
  // The whole total of a feasible row.
  int64_t total(model::Row row) const {
    const int64_t mine = ranked.totals != nullptr ? ranked.totals[row] : totals[row];
    return mine + (ranked.classes == nullptr ? ranked.part : ranked.parts[ranked.classes[row]]);
  }

  bool listed = false;           // true: the rows are in `list`; false: in `pieces`
  std::vector<model::Row> list;  // in the order of the search
  std::vector<Piece> pieces;
  uint32_t feasible = 0;             // number of feasible rows
  uint32_t refused = 0;              // number of refused rows
  std::optional<SearchError> error;  // a filter failed at a row that the serial search reaches

 private:
  void point_to_own() {
    refuser.point_to(own_refuser_.data());
    code.point_to(own_code_.data());
    totals = own_totals_.data();
    feasible_rows = {};
    forget_ranked();
  }

  model::Row rows_ = 0;
  std::vector<Refuser> own_refuser_;
  std::vector<uint8_t> own_code_;
  std::vector<int64_t> own_totals_;
};

// Raw scores by row, in a type that holds all of them.
using ScoreArray = std::variant<const int64_t*, const int32_t*, const int16_t*, const uint8_t*>;

// Scores of one Score hook: one number for all feasible rows, or by row. Raw as the plugin returned
// them, final after normalising and before the weight, in 0..100.
struct HookScores {
  size_t hook = 0;  // in the profile's score list
  bool uniform = false;
  int64_t uniform_raw = 0;
  int64_t uniform_final = 0;
  // Valid until the evaluator scores again. Without final scores they follow from the raw ones, by
  // the kind of normalising and the extremes of the feasible rows.
  // With classes, both are by class of the row.
  ScoreArray raw_by_row;
  const int64_t* final_by_row = nullptr;
  const RowClass* classes = nullptr;
  uint32_t kind = 0;
  int64_t minimum = 0, maximum = 0;

  int64_t raw(model::Row row) const {
    if (uniform) return uniform_raw;
    return std::visit([&](const auto* scores) -> int64_t { return scores[place(row)]; },
                      raw_by_row);
  }
  int64_t final(model::Row row) const {
    if (uniform) return uniform_final;
    if (final_by_row != nullptr) return final_by_row[place(row)];
    const int64_t score = raw(row);
    return score == BERTH_NOT_SCORED ? 0 : normalised(kind, score, minimum, maximum);
  }
  size_t place(model::Row row) const { return classes != nullptr ? classes[row] : row; }
};

}  // namespace berth::framework
