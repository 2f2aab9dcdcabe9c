#pragma once

// The raw scores of the hooks of a ranking that are asked by row, kept from one decision to the
// next and brought up to date as verdicts are (verdicts.h). Rows whose scores differ are touched.
//
// Belongs to the thread that owns the model, or to one thread while the model is not modified.

#include <algorithm>
#include <string>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/ranking/rows/row_changes.h"
#include "engine/framework/ranking/scores/kept_score.h"
#include "engine/framework/ranking/scores/touched_rows.h"
#include "engine/framework/ranking/shared_inputs.h"

namespace berth::framework {

// Where more than one of so many rows is touched, whole columns take less time.
inline constexpr model::Row kMostTouched = 32;

class RowScores {
 public:
  // Call before resize(), post() and ask(). Returns the score's place in kept().
  size_t add(size_t index, const ScoreCalls& calls, bool zero);
  void clear();
  std::vector<KeptScore>& kept() { return kept_; }
  const std::vector<KeptScore>& kept() const { return kept_; }

  // Rows and blocks that changed since touched().clear().
  TouchedRows& touched() { return touched_; }
  const TouchedRows& touched() const { return touched_; }
  // Gives up the list of touched rows: all scores count as asked.
  void forget_touched();

  // `padded`: the rows, in whole blocks.
  void resize(model::Row rows, size_t padded);
  void move(const model::RowShift& shift, model::BlockBits& differ);
  // Brings counts by row up to date that the scores read, so that the change log names these rows.
  void refresh() const;

  // Asks for the raw scores that may have changed. An error's text, or empty. `searched`: the only
  // rows to ask about where all are stale; null: no such limit. `rebuilds`: all rows may differ.
  // `far`: see Totals::ask().
  [[nodiscard]] std::string ask(const DecisionContext& cycle, const SearchResult* searched,
                                RowWork& work, RowChanges& changes, bool rebuilds, bool far);
  // See Totals: posts what ask() will ask, or advance().
  void post(const DecisionContext& cycle, bool few, RowWork& work, RowChanges& changes);
  void post_ahead(const DecisionContext& cycle, RowPart& part, RowChanges& changes);
  // True if advance() asks about all that changed.
  [[nodiscard]] bool can_advance(const RowChanges& changes) const;
  // False: a hook failed, and part.error says how.
  [[nodiscard]] bool advance(RowPart& part, RowChanges& changes);
  // True if ask() may be called on any thread, while the model is not modified.
  bool suits_any_thread() const;
  bool partly() const { return std::ranges::any_of(kept_, &KeptScore::partly); }

  // Asks for the memory of what is read when the row changes.
  void prefetch(model::Row row) const {
    if (row >= rows_) return;
    for (const KeptScore& kept : kept_)
      if (!kept.zero) kept.raw.prefetch(row);
  }
  size_t bytes() const;

 private:
  // True if no row's score differs. Precondition: the inputs that rows share stay.
  static bool stays(const KeptScore& kept, const RowChanges& changes) {
    return !kept.external && !kept.partly &&
           !changes.may_concern(kept.inputs, kept.calls.state().lagging);
  }
  [[nodiscard]] static bool follow_shared(const DecisionContext& cycle, KeptScore& kept);
  [[nodiscard]] bool ask(const DecisionContext& cycle, KeptScore& kept,
                         const SearchResult* searched, RowWork& work, RowChanges& changes,
                         bool same, bool rebuilds, bool far);
  [[nodiscard]] bool ask_all(KeptScore& kept, model::Row begin, model::Row end, RowWork& work);
  [[nodiscard]] bool ask_rows(KeptScore& kept, RowPart& part);
  [[nodiscard]] bool ask_neighbours(KeptScore& kept, RowPart& part, RowChanges& changes);
  [[nodiscard]] bool ask_again(KeptScore& kept, RowWork& work);
  void take_answer(KeptScore& kept, model::Row row, int64_t raw);

  std::vector<KeptScore> kept_;
  bool lags_ = false;    // some read counts by row, see BoundHook::refresh
  SharedInputs shared_;  // theirs
  model::Row rows_ = 0;
  TouchedRows touched_;
  std::vector<model::Row> asked_;  // room
};

}  // namespace berth::framework
