// Asks Score hooks about rows whose inputs changed, and touches the rows whose scores differ.

#include "engine/framework/ranking/scores/row_scores.h"

#include <algorithm>
#include <span>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/scores/score_widths.h"
#include "engine/framework/ranking/post_changed.h"

namespace berth::framework {
namespace {

bool in_range(int64_t raw) { return raw >= 0 && raw <= kHighestScore; }

}  // namespace

size_t RowScores::add(size_t index, const ScoreCalls& calls, bool zero) {
  if (!zero) {
    shared_.add(calls.state());
    lags_ |= !calls.state().lagging.empty();
  }
  kept_.emplace_back(index, calls, zero);
  return kept_.size() - 1;
}

void RowScores::clear() {
  kept_.clear();
  shared_.clear();
  lags_ = false;
}

void RowScores::forget_touched() {
  touched_.clear();
  for (KeptScore& kept : kept_) kept.asked = kept.asked_all = true;
}

void RowScores::resize(model::Row rows, size_t padded) {
  rows_ = rows;
  // So that decisions do not allocate: each of these lists grows with the rows that changed between
  // two decisions of a kind of pods, which differ from turn to turn.
  touched_.resize(padded / kBlock, std::min<size_t>(rows_, 1024));
  asked_.reserve(std::min(rows_, kUsualRows));
  for (KeptScore& kept : kept_)
    if (!kept.zero) kept.raw.resize(padded);
}

void RowScores::move(const model::RowShift& shift, model::BlockBits& differ) {
  for (KeptScore& kept : kept_)
    if (!kept.zero) kept.raw.move(shift, differ);
}

void RowScores::refresh() const {
  if (!lags_) return;
  for (const KeptScore& kept : kept_)
    if (!kept.zero) kept.calls.hook().bound.refresh(kept.calls.state());
}

size_t RowScores::bytes() const {
  size_t bytes = 0;
  for (const KeptScore& kept : kept_)
    bytes += kept.raw.bytes() + kept.blocks.capacity() * sizeof(Extremes) + kept.calls.bytes();
  return bytes;
}

// Records the inputs that all rows share. False: none changed since the last call.
bool RowScores::follow_shared(const DecisionContext& cycle, KeptScore& kept) {
  const auto& hook = kept.calls.hook();
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
  const uint64_t shared =
      follows && hook.before == kNoHook ? 0 : hook.bound.shared_stamp(kept.calls.state());
  const uint64_t version = follows && shared != 0 ? cycle.pre_score().versions[hook.before] : 0;
  const uint32_t ran = cycle.ran(hook);
  const bool differs =
      shared == 0 || shared != kept.shared || version != kept.version || ran != kept.calls.ran();
  kept.shared = shared;
  kept.version = version;
  kept.calls.set_ran(ran);
  return differs;
}

// Asks for the raw scores that may have changed. False: the hook failed. `searched`: the only rows
// to ask about if all are stale; null: no such limit. `same`: the inputs that all rows share did
// not change.
bool RowScores::ask(const DecisionContext& cycle, KeptScore& kept, const SearchResult* searched,
                    RowWork& work, RowChanges& changes, bool same, bool rebuilds, bool far) {
  const TemplateHook& state = kept.calls.state();
  asked_.clear();
  const bool near = !rebuilds && changes.concerns_neighbours(kept.inputs, state.lagging);
  const bool by_row = near || (!rebuilds && changes.concern(kept.inputs, state.lagging, asked_));
  const bool changed = (!same && follow_shared(cycle, kept)) || !by_row;
  const bool all = changed || kept.partly || (!near && many(asked_.size(), rows_));
  if (!all && near) return ask_neighbours(kept, work.mine(), changes);
  if (!all) return asked_.empty() || ask_rows(kept, work.mine());

  const bool was_partly = kept.partly;
  kept.partly = searched != nullptr && (rebuilds ? far : changed);
  if (!kept.calls.begin(work.mine())) return false;
  if (!kept.partly && !was_partly && !rebuilds) return ask_again(kept, work);
  kept.asked = kept.asked_all = true;
  if (!kept.partly) {
    if (!ask_all(kept, 0, rows_, work)) return false;
    if (!kept.normalises()) kept.odd = !kept.raw.in_range(rows_);
    return true;
  }
  for (auto [begin, end] : searched->pieces)
    if (!ask_all(kept, block_begin(begin), std::min(block_end(end), rows_), work)) return false;
  return true;
}

std::string RowScores::ask(const DecisionContext& cycle, const SearchResult* searched,
                           RowWork& work, RowChanges& changes, bool rebuilds, bool far) {
  const bool shared_stay = shared_.stay(cycle, true) && !rebuilds;
  for (KeptScore& kept : kept_) {
    if (kept.zero || (shared_stay && stays(kept, changes))) continue;
    const bool same = shared_stay && !kept.external;
    if (!ask(cycle, kept, searched, work, changes, same, rebuilds, far))
      return score_error(kept.calls.hook().point->plugin(), work.error());
  }
  return {};
}

void RowScores::post(const DecisionContext& cycle, bool few, RowWork& work, RowChanges& changes) {
  if (!changes.rows_are_named()) return;
  for (const KeptScore& kept : kept_) {
    if (kept.zero || kept.partly) continue;
    if (!kept.external) {
      post_changed(cycle, kept, changes, rows_, asked_, work.mine());
    } else if (!few) {
      post_all(kept, rows_, work, work.mine());
    }
  }
}

void RowScores::post_ahead(const DecisionContext& cycle, RowPart& part, RowChanges& changes) {
  for (const KeptScore& kept : kept_)
    if (!kept.zero) post_changed(cycle, kept, changes, rows_, asked_, part);
}

// Asks about rows [begin, end).
bool RowScores::ask_all(KeptScore& kept, model::Row begin, model::Row end, RowWork& work) {
  if (kept.raw.zero() && kept.calls.answers_zero()) return true;
  std::vector<int64_t>& scores = work.scores(rows_);
  if (!kept.calls.rows(begin, end, scores.data(), work)) return false;
  kept.raw.set_all(begin, std::span(scores).subspan(begin, end - begin));
  return true;
}

bool RowScores::ask_rows(KeptScore& kept, RowPart& part) {
  const std::span<int64_t> answers = RowPart::room(part.scores, asked_.size());
  if (!kept.calls.single(asked_, answers.data(), part)) return false;
  for (size_t i = 0; i < asked_.size(); ++i)
    if (kept.raw[asked_[i]] != answers[i]) take_answer(kept, asked_[i], answers[i]);
  return true;
}

bool RowScores::ask_neighbours(KeptScore& kept, RowPart& part, RowChanges& changes) {
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
void RowScores::take_answer(KeptScore& kept, model::Row row, int64_t raw) {
  kept.raw.set(row, raw);
  kept.odd |= !kept.normalises() && !in_range(raw);
  kept.asked = true;
  touched_.touch(row);
}

// Asks about all rows, and touches those whose scores differ unless they are many: most often an
// input that all rows share, such as the number of nodes, changes few scores or none.
bool RowScores::ask_again(KeptScore& kept, RowWork& work) {
  std::vector<int64_t>& now = work.scores(rows_);
  if (!kept.calls.rows(0, rows_, now.data(), work)) return false;
  size_t differ = 0;
  for (model::Row row = 0; row < rows_ && !many(differ, rows_); row += kBlock) {
    const model::Row end = std::min(row + kBlock, rows_);
    if (!kept.raw.differ(row, std::span(now).subspan(row, end - row))) continue;
    for (model::Row i = row; i < end; ++i) {
      if (now[i] == kept.raw[i]) continue;
      touched_.touch(i);
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

}  // namespace berth::framework
