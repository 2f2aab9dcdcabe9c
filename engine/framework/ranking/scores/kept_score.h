#pragma once

// The scores of one Score hook that is asked by row: raw ones, and how they become final.

#include <algorithm>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/evaluation/scores/score_sums.h"
#include "engine/framework/ranking/scores/raw_scores.h"

namespace berth::framework {

// The way from raw scores of a hook to final ones: with the extremes of some rows.
struct FinalScores {
  Extremes of;
  bool is_same = true;  // all scores are `same`
  int64_t same = 0;
  bool fits = true;  // the extremes can be normalised
};

struct KeptScore {
  size_t index;  // in the profile's list
  ScoreCalls calls;
  bool zero;              // 0 for all rows
  bool external = false;  // a score holds for one decision
  model::Changes inputs = 0;
  uint64_t shared = 0;     // see Verdicts
  uint64_t version = 0;    // of the answer of PreScore that the scores follow
  bool asked = false;      // some raw scores are new since the totals followed
  bool asked_all = false;  // all of them
  bool partly = false;     // those of searched rows alone are up to date
  bool odd = false;        // some score is out of range, or has no total here
  RawScores raw;
  // Of scores that are normalised, of open rows: at block * stride + class of the filters.
  std::vector<Extremes> blocks;
  std::vector<Extremes> of_classes;
  Extremes all;  // of feasible rows
  FinalScores in_totals;
  FinalScores in_searched;  // in SearchedTotals, if the last Totals::take() gave them out

  // `zero`: every row has the score 0, and the hook is not called.
  KeptScore(size_t index, const ScoreCalls& calls, bool zero);

  uint32_t kind() const { return calls.hook().point->normalise(); }
  int64_t weight() const { return calls.hook().weight; }
  bool normalises() const { return kind() != BERTH_NORMALISE_NONE; }
  int64_t final(model::Row row) const {
    if (in_totals.is_same) return in_totals.same;
    if (!normalises()) return raw[row];
    // Rows of refused classes may hold anything.
    const int64_t within = std::clamp(raw[row], in_totals.of.minimum, in_totals.of.maximum);
    return normalised(kind(), within, in_totals.of.minimum, in_totals.of.maximum);
  }
  FinalScores finals(const Extremes& of) const;
};

}  // namespace berth::framework
