// Rankings are brought up to date ahead of the decisions that use them.
//
// Only the usual case is done here: some inputs of some rows changed. Everything else is left to
// the decision, which compares the stamps of what rows share as if nothing had happened.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/ranking/totals/totals.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {
namespace {

// Counts by row that lag are brought up to date by the thread that owns the model. Answers about
// external inputs hold for one decision, and those of a hook over a dictionary are about its codes,
// which may be new.
template <typename Kept>
bool suits_any_thread(const Kept& kept) {
  const TemplateHook& state = kept.calls.state();
  return !kept.external && !state.failed && state.lagging.empty();
}
template <typename Kept>
bool follows_rows(const Kept& kept, const RowChanges& changes) {
  if (!suits_any_thread(kept)) return false;
  return !kept.calls.hook().bound.over_dictionary() || !changes.may_concern(kept.inputs, {});
}

}  // namespace

bool Verdicts::suits_any_thread() const {
  return !by_class() && std::ranges::all_of(filters_, [](const Kept& kept) {
    return framework::suits_any_thread(kept);
  });
}

bool RowScores::suits_any_thread() const {
  return std::ranges::all_of(
      kept_, [](const KeptScore& kept) { return kept.zero || framework::suits_any_thread(kept); });
}

bool Verdicts::can_advance(const RowChanges& changes) const {
  return std::ranges::all_of(
      filters_, [&](const Kept& kept) { return !kept.stale && follows_rows(kept, changes); });
}

bool Verdicts::advance_rows(RowPart& part, RowChanges& changes) {
  for (Kept& kept : filters_) {
    if (!changes.may_concern(kept.inputs, {})) continue;
    if (changes.concerns_neighbours(kept.inputs, {})) {
      if (!ask_neighbours(kept, part, changes)) return false;
      continue;
    }
    asked_.clear();
    if (!changes.concern(kept.inputs, {}, asked_)) return false;
    if (!asked_.empty() && !ask_rows(kept, part, asked_)) return false;
  }
  return true;
}

bool Verdicts::advance(RowPart& part, RowChanges& changes) {
  const bool usable =
      built_ && combined_ && !by_class() && overlays_.empty() && rows_ == cluster_.nodes().rows();
  if (!usable || !changes.read(cluster_.nodes(), cluster_.log(), position_)) return false;
  if (!changes.rows_are_named() || !can_advance(changes)) return false;
  changed_.clear();
  moved_.clear();
  built_ = advance_rows(part, changes);
  if (!built_) {
    part.error.clear();  // the decision asks again
    return false;
  }
  reach_end_of_log();
  combine_changed();
  return true;
}

bool RowScores::can_advance(const RowChanges& changes) const {
  return std::ranges::all_of(kept_, [&](const KeptScore& kept) {
    return kept.zero || (!kept.partly && follows_rows(kept, changes));
  });
}

bool RowScores::advance(RowPart& part, RowChanges& changes) {
  for (KeptScore& kept : kept_) {
    if (kept.zero || !changes.may_concern(kept.inputs, {})) continue;
    if (changes.concerns_neighbours(kept.inputs, {})) {
      if (!ask_neighbours(kept, part, changes)) return false;
      continue;
    }
    asked_.clear();
    if (!changes.concern(kept.inputs, {}, asked_)) return false;
    if (!asked_.empty() && !ask_rows(kept, part)) return false;
  }
  return true;
}

void Totals::advance(const Verdicts& verdicts, RowPart& part, RowChanges& changes) {
  BERTH_ASSERT(verdicts.built());
  if (!can_advance() || !changes.read(cluster_.nodes(), cluster_.log(), position_)) return;
  if (!changes.rows_are_named() || !scores_.can_advance(changes)) return;
  built_ = scores_.advance(part, changes);
  if (!built_) {
    part.error.clear();
    return;
  }
  position_ = cluster_.log().end();
  static_cast<void>(follow(verdicts));  // without totals, the decision has none
}

}  // namespace berth::framework
