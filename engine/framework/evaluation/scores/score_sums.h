#pragma once

// The totals of the searched rows from the raw scores of all hooks: normalising, weights, sums, and
// the checks of what plugins returned. The full evaluation adds all scores anew for each decision;
// the incremental one does so where it keeps no totals.
//
// Rows that were refused may hold any raw score: a branch for each row costs more than its score.
// Their totals begin so low (kRefusedTotal) that no score lifts them to a total that counts, so the
// kernels need no mask.

#include <string>
#include <vector>

#include "engine/framework/evaluation/decision_context.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class ScoreSums {
 public:
  ScoreSums(const model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), calls_(calls) {}

  // Begins with 0 for each feasible row, in the arrays of the result. Precondition: `found` does
  // not change until the last hook is added.
  void begin(const DecisionContext& cycle, SearchResult& found);
  // The searched rows, as ranges; of a list the feasible ones.
  const std::vector<SearchResult::Piece>& ranges() const { return ranges_; }
  // Room for the raw scores of a hook by row, until the next begin(), for add().
  int64_t* room(size_t hook);
  // Adds the scores of a hook, by index in the profile's list. `raw`: by row, valid until the next
  // decision; null: 0 everywhere. Returns the text of an error, or an empty text.
  std::string add(size_t hook, const int64_t* raw);
  // Of the hooks that were added. Valid until the next begin().
  const std::vector<HookScores>& scores() const { return scores_; }

 private:
  std::string add_raw_scores(const HookAt<host::Score>& hook, const int64_t* raw, HookScores& mine);
  std::string add_own(const HookAt<host::Score>& hook, const int64_t* raw, const Extremes& found,
                      std::vector<int64_t>& final);
  const void* state_of(const HookScores& scores) const;  // the plugin's, for the template
  std::string add_zero(const HookAt<host::Score>& hook, HookScores& mine);
  bool add_as_is(const HookAt<host::Score>& hook, const int64_t* raw);
  Extremes extremes_in(const int64_t* raw) const;
  void add_everywhere(int64_t score);
  model::Row first_feasible() const;

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  const DecisionContext* cycle_ = nullptr;
  SearchResult* found_ = nullptr;
  std::vector<HookScores> scores_;
  std::vector<SearchResult::Piece> ranges_;
  std::vector<std::vector<int64_t>> final_;  // by hook, by row
  std::vector<std::vector<int64_t>> raw_;    // the same, of those that room() was asked for
};

}  // namespace berth::framework
