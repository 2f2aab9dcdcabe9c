// Raw scores that are asked again, and are mostly what they were; the rows that are touched if not.

#include <algorithm>
#include <span>

#include "engine/framework/evaluation/scores/score_widths.h"
#include "engine/framework/ranking/totals/totals.h"

namespace berth::framework {
namespace {

bool in_range(int64_t raw) { return raw >= 0 && raw <= kHighestScore; }

}  // namespace

void Totals::post(const DecisionContext& cycle, bool few, RowWork& work, RowChanges& changes) {
  if (!changes.rows_are_named()) return;
  for (const Kept& kept : hooks_) {
    if (kept.zero || kept.partly) continue;
    if (!kept.external) {
      post_changed(cycle, kept, changes, rows_, asked_, work.mine());
    } else if (!few) {
      post_all(kept, rows_, work, work.mine());
    }
  }
}

bool Totals::post_ahead(const DecisionContext& cycle, uint64_t position, RowPart& part,
                        RowChanges& changes) {
  refresh();
  if (position_ < position || !can_advance()) return false;
  if (!changes.read(cluster_.nodes(), cluster_.log(), position_) || !changes.rows_are_named())
    return false;
  if (!can_advance(changes)) return false;
  for (const Kept& kept : hooks_)
    if (!kept.zero) post_changed(cycle, kept, changes, rows_, asked_, part);
  return true;
}

// Asks about rows [begin, end).
bool Totals::ask_all(Kept& kept, model::Row begin, model::Row end, RowWork& work) {
  if (kept.raw.zero() && kept.calls.answers_zero()) return true;
  std::vector<int64_t>& scores = work.scores(rows_);
  if (!kept.calls.rows(begin, end, scores.data(), work)) return false;
  kept.raw.set_all(begin, std::span(scores).subspan(begin, end - begin));
  return true;
}

bool Totals::ask_rows(Kept& kept, RowPart& part) {
  const std::span<int64_t> answers = RowPart::room(part.scores, asked_.size());
  if (!kept.calls.single(asked_, answers.data(), part)) return false;
  for (size_t i = 0; i < asked_.size(); ++i)
    if (kept.raw[asked_[i]] != answers[i]) take_answer(kept, asked_[i], answers[i]);
  return true;
}

bool Totals::ask_neighbours(Kept& kept, RowPart& part, RowChanges& changes) {
  const auto& bound = kept.calls.hook().bound;
  const RecentRows::Range& places = changes.neighbours();
  RecentRows& recent = changes.recent();
  if (!bound.gather_recent(kept.calls.state(), recent, places, part.columns)) {
    static_cast<void>(changes.concern(kept.inputs, {}, asked_));  // some rows alone
    return ask_rows(kept, part);
  }
  // The processor loads the old scores of a few rows while the hook runs. Those of many rows would
  // be gone from the first cache when the hook returns.
  const bool all_again = places.size() > rows_ / kMostTouched;
  if (!all_again)
    for (const model::Row row : recent.rows(places)) kept.raw.prefetch(row);
  const std::span<int64_t> answers = RowPart::room(part.scores, places.size());
  if (!kept.calls.gathered(answers, part)) return false;
  if (all_again && (kept.normalises() || all_in_range(answers.data(), answers.size()))) {
    kept.raw.set_some(recent.rows(places), answers);
    kept.asked = kept.asked_all = true;
    return true;
  }
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t place = places.begin + i;
    const model::Row row = recent.row(place);
    if (kept.raw[row] != answers[i] && recent.latest(place)) take_answer(kept, row, answers[i]);
  }
  return true;
}

// A raw score that differs from what it was.
void Totals::take_answer(Kept& kept, model::Row row, int64_t raw) {
  kept.raw.set(row, raw);
  kept.odd |= !kept.normalises() && !in_range(raw);
  kept.asked = true;
  touch(row);
}

// Asks about all rows, and touches those whose scores differ unless they are many: most often an
// input that all rows share, such as the number of nodes, changes few scores or none.
bool Totals::ask_again(Kept& kept, RowWork& work) {
  std::vector<int64_t>& now = work.scores(rows_);
  if (!kept.calls.rows(0, rows_, now.data(), work)) return false;
  size_t differ = 0;
  for (model::Row row = 0; row < rows_ && !many(differ, rows_); row += kBlock) {
    const model::Row end = std::min(row + kBlock, rows_);
    if (!kept.raw.differ(row, std::span(now).subspan(row, end - row))) continue;
    for (model::Row i = row; i < end; ++i) {
      if (now[i] == kept.raw[i]) continue;
      touch(i);
      ++differ;
    }
  }
  if (differ == 0) return true;
  kept.asked = true;
  kept.asked_all |= many(differ, rows_);
  kept.raw.set_all(0, std::span(now).first(rows_));
  if (!kept.normalises()) kept.odd = !kept.raw.in_range(rows_);
  return true;
}

// Gives up the list of touched rows: all rows count as touched.
void Totals::forget_touched() {
  touched_.clear();
  moved_.clear();
  stand_.totals = stand_.classes = false;
  for (Kept& kept : hooks_) kept.asked = kept.asked_all = true;
}

}  // namespace berth::framework
