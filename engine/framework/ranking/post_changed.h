#pragma once

// Which calls of a ranking are posted before they are made (evaluation/hook_calls.h): those of
// plugins in processes of their own, about rows that changed or about all rows. A call that is made
// after all about other rows does not take the answers, so a wrong guess costs a call.

#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// True if so many rows changed that a pass over all of them costs less. Changed rows are asked
// about where they are neighbours; then each has to be found again by its number.
inline bool many(size_t changed, model::Row rows) { return changed > rows / 3; }

// `kept`: a hook that is asked by row, of Verdicts or Totals. `rows`: all rows; `list`: room.
template <typename Kept>
void post_changed(const DecisionContext& cycle, const Kept& kept, RowChanges& changes,
                  model::Row rows, std::vector<model::Row>& list, RowPart& part) {
  const TemplateHook& state = kept.calls.state();
  const auto& hook = kept.calls.hook();
  if (!kept.calls.is_apart() || state.failed || !state.lagging.empty()) return;
  const bool stays = cycle.ran(hook) == kept.calls.ran() &&
                     hook.bound.shared_stamp(state) == kept.shared &&
                     hook.point->depends() == BERTH_DEPENDS_DECLARED;
  if (!stays || !changes.may_concern(kept.inputs, {})) return;
  if (changes.concerns_neighbours(kept.inputs, {})) {
    const RecentRows::Range& places = changes.neighbours();
    if (hook.bound.gather_recent(state, changes.recent(), places, part.columns))
      kept.calls.post_gathered(places.size(), part);
    return;
  }
  list.clear();
  if (!changes.concern(kept.inputs, {}, list) || list.empty() || many(list.size(), rows)) return;
  kept.calls.post_single(list, part);
}

// The same for a hook whose answers hold for one decision.
template <typename Kept>
void post_all(const Kept& kept, model::Row rows, const RowWork& work, RowPart& part) {
  if (!kept.calls.is_apart() || kept.calls.state().failed || rows == 0) return;
  if (work.is_whole(0, rows)) kept.calls.post_range(0, rows, part);
}

}  // namespace berth::framework
