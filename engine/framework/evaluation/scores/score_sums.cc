#include "engine/framework/evaluation/scores/score_sums.h"

#include <optional>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/scores/normalise.h"

namespace berth::framework {

void ScoreSums::begin(const DecisionContext& cycle, SearchResult& found) {
  cycle_ = &cycle;
  found_ = &found;
  scores_.clear();
  final_.resize(cycle.profile->score.size());
  ranges_.clear();
  if (!found.listed) {
    ranges_.assign(found.pieces.begin(), found.pieces.end());
  } else {
    for (model::Row row : found.list)
      if (found.refuser[row] == kFeasible) ranges_.emplace_back(row, row + 1);
  }
  found.totals = found.own_totals();
  found.forget_ranked();
  for (auto [from, to] : ranges_)
    begin_totals(found.refuser + from, found.totals + from, to - from);
}

int64_t* ScoreSums::room(size_t hook) {
  raw_.resize(std::max(raw_.size(), hook + 1));
  raw_[hook].resize(std::max<size_t>(raw_[hook].size(), block_end(cluster_.nodes().rows())));
  return raw_[hook].data();
}

std::string ScoreSums::add(size_t index, const int64_t* raw) {
  BERTH_ASSERT(found_ != nullptr && index < cycle_->profile->score.size());
  const auto& hook = cycle_->profile->score[index];
  HookScores& mine = scores_.emplace_back();
  mine.hook = index;
  const std::string error = raw == nullptr ? add_zero(hook, mine) : add_raw_scores(hook, raw, mine);
  return error.empty() ? error : score_error(hook.point->plugin(), error);
}

void ScoreSums::add_everywhere(int64_t score) {
  if (score == 0) return;
  for (auto [begin, end] : ranges_) add_constant(score, found_->totals + begin, end - begin);
}

// True if all scores are final as they are, which is most often so, and were added to the totals.
bool ScoreSums::add_as_is(const HookAt<host::Score>& hook, const int64_t* raw) {
  if (hook.point->normalise() != BERTH_NORMALISE_NONE) return false;
  int64_t* total = found_->totals;
  for (size_t i = 0; i < ranges_.size(); ++i) {
    auto [begin, end] = ranges_[i];
    if (add_raw(raw + begin, hook.weight, total + begin, end - begin)) continue;
    for (size_t back = 0; back <= i; ++back) {
      auto [from, to] = ranges_[back];
      static_cast<void>(add_raw(raw + from, -hook.weight, total + from, to - from));  // restores
    }
    return false;
  }
  return true;
}

// The extremes of the feasible rows.
Extremes ScoreSums::extremes_in(const int64_t* raw) const {
  Extremes all;
  for (auto [begin, end] : ranges_) extremes_of_all(raw + begin, end - begin, all);
  if (all.minimum == all.maximum && !all.unscored) return all;
  Extremes found;
  for (auto [begin, end] : ranges_)
    extremes(raw + begin, found_->totals + begin, end - begin, found);
  return found;
}

std::string ScoreSums::add_raw_scores(const HookAt<host::Score>& hook, const int64_t* raw,
                                      HookScores& mine) {
  mine.raw_by_row = raw;
  mine.final_by_row = raw;
  if (add_as_is(hook, raw)) return {};

  const Extremes found = extremes_in(raw);
  if (found.minimum > found.maximum) {  // nothing is scored: 0 for all
    mine.uniform = true;
    mine.uniform_raw = BERTH_NOT_SCORED;
    return {};
  }
  std::vector<int64_t>& final = final_[mine.hook];
  final.resize(std::max<size_t>(final.size(), block_end(cluster_.nodes().rows())));
  mine.final_by_row = final.data();
  if (hook.point->normalise() == BERTH_NORMALISE_OWN) return add_own(hook, raw, found, final);

  auto [first, last] = ranges_.front();
  if (host::CallError error = hook.point->check_extremes(calls_, {raw + first, last - first},
                                                         found.minimum, found.maximum))
    return error.text_about([&, first = first](size_t position) {
      return hook.bound.node_text(first + static_cast<model::Row>(position));
    });
  if (found.minimum == found.maximum && !found.unscored) {
    mine.uniform = true;
    mine.uniform_raw = found.minimum;
    mine.uniform_final =
        normalised(hook.point->normalise(), found.minimum, found.minimum, found.maximum);
    add_everywhere(hook.weight * mine.uniform_final);
    return {};
  }
  for (auto [begin, end] : ranges_)
    add_normalised(hook.point->normalise(), raw + begin, found, hook.weight, final.data() + begin,
                   found_->totals + begin, end - begin);
  return {};
}

const void* ScoreSums::state_of(const HookScores& scores) const {
  return cycle_->score_states()[scores.hook]->prepared.state();
}

// The plugin's own normalising, over the feasible rows put together, since it may not see others.
std::string ScoreSums::add_own(const HookAt<host::Score>& hook, const int64_t* raw,
                               const Extremes& found, std::vector<int64_t>& final) {
  std::vector<model::Row> rows;
  std::vector<int64_t> scores;
  found_->for_each_row([&](model::Row row) {
    if (found_->refuser[row] != kFeasible) return;
    rows.push_back(row);
    scores.push_back(raw[row]);
  });
  std::vector<int64_t> normalised(scores.size());
  if (host::CallError error = hook.point->normalise_own(calls_, state_of(scores_.back()), scores,
                                                        found.minimum, found.maximum, normalised))
    return error.text_about([&](size_t position) { return hook.bound.node_text(rows[position]); });
  for (size_t i = 0; i < rows.size(); ++i) {
    final[rows[i]] = scores[i] == BERTH_NOT_SCORED ? 0 : normalised[i];
    found_->totals[rows[i]] += hook.weight * final[rows[i]];
  }
  return {};
}

model::Row ScoreSums::first_feasible() const {
  std::optional<model::Row> first;
  found_->for_each_row([&](model::Row row) {
    if (!first && found_->refuser[row] == kFeasible) first = row;
  });
  BERTH_ASSERT(first.has_value());
  return *first;
}

// A hook that scores 0 everywhere for this template: normalised like any other score.
std::string ScoreSums::add_zero(const HookAt<host::Score>& hook, HookScores& mine) {
  mine.uniform = true;
  int64_t zero = 0;
  if (hook.point->normalise() == BERTH_NORMALISE_OWN) {
    if (host::CallError error = hook.point->normalise_own(calls_, state_of(mine), {&zero, 1}, 0, 0,
                                                          {&mine.uniform_final, 1}))
      return error.text_about([&](size_t) { return hook.bound.node_text(first_feasible()); });
  } else {
    mine.uniform_final = normalised(hook.point->normalise(), 0, 0, 0);
  }
  add_everywhere(hook.weight * mine.uniform_final);
  return {};
}

}  // namespace berth::framework
