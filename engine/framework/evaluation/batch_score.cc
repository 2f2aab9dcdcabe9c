#include "engine/framework/evaluation/batch_parts.h"
#include "engine/framework/evaluation/normalise.h"

namespace berth::framework {
namespace {

template <typename T>
void grow(std::vector<T>& values, size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

// The pieces of the search result that hold its rows, as ranges; a list's rows one by one.
void BatchEvaluator::take_ranges(const SearchResult& search_result) {
  ranges_.clear();
  if (!search_result.listed) {
    ranges_.assign(search_result.pieces.begin(), search_result.pieces.end());
    return;
  }
  for (model::Row row : search_result.list)
    if (search_result.refuser[row] == kFeasible) ranges_.emplace_back(row, row + 1);
}

void BatchEvaluator::add_everywhere(int64_t score, SearchResult& search_result) {
  if (score == 0) return;
  for (auto [begin, end] : ranges_)
    add_constant(score, search_result.total.data() + begin, end - begin);
}

void BatchEvaluator::score_block(const DecisionContext& cycle, size_t index, ActiveScore& active,
                                 model::Row begin, model::Row end, Part& part) {
  auto& hook = cycle.profile->score[index];
  model::Row from = block_begin(begin);
  model::Row to = std::min(block_end(end), cluster_.nodes().rows());
  if (active.stamp == 0) {
    ask_score(cycle, index, active, from, to, part);
    return;
  }
  refresh(
      active.state->raw, active.now_of_all, from, to,
      [&](uint32_t block) { return hook.bound.block_stamp(*active.state, active.stamp, block); },
      [&](model::Row first, model::Row last) {
        return ask_score(cycle, index, active, first, last, part);
      });
}

// False: the hook failed; `part` has the text.
bool BatchEvaluator::ask_score(const DecisionContext& cycle, size_t index, ActiveScore& active,
                               model::Row begin, model::Row end, Part& part) {
  auto& hook = cycle.profile->score[index];
  if (active.codes != nullptr) {
    expand(active.codes + begin, active.by_code.data(), active.raw + begin, end - begin);
    return true;
  }
  hook.bound.slice(*active.state, begin, end, part.columns);
  berth_call call = BoundHook::call(part.columns, end - begin, active.state, cycle.ran(hook));
  host::CallError error = hook.point->call(*part.calls, call, {active.raw + begin, end - begin});
  if (error) part.error = error.text();
  return !error;
}

// The part of the stamp that all blocks share; 0: answers are not kept. Raw scores that depend on
// the set of feasible nodes do so through the state of PreScore, whose version is part of the
// stamp.
uint64_t BatchEvaluator::score_stamp(const DecisionContext& cycle, const HookAt<host::Score>& hook,
                                     const TemplateHook& state) const {
  if (!options_.keeps || hook.point->depends() == BERTH_DEPENDS_EXTERNAL) return 0;
  uint64_t stamp = hook.bound.whole_stamp(state);
  if (hook.point->depends() != BERTH_DEPENDS_FEASIBLE) return stamp;
  if (hook.before == kNoHook) return 0;
  // Several templates of a PreScore may be one of the Score, and their versions do not grow in
  // step with the sum: spread out, so that no two pairs meet.
  constexpr uint64_t kFar = 0x9E37'79B9'7F4A'7C15;
  return stamp + kFar * cycle.pre_score_versions[hook.before];
}

// Writes the raw scores of the searched rows (and of others in their blocks) to active.raw.
std::string BatchEvaluator::score_hook(const DecisionContext& cycle, size_t index,
                                       ActiveScore& active) {
  auto& hook = cycle.profile->score[index];
  TemplateHook& state = *active.state;
  size_t rows = block_end(cluster_.nodes().rows());
  active.stamp = score_stamp(cycle, hook, state);
  const bool kept = active.stamp != 0;
  active.now_of_all = kept && alone() ? active.stamp + hook.bound.rows_stamp(state) : 0;
  if (kept && state.raw.values.size() < rows) {
    state.raw.values.resize(rows);
    state.raw.stamps.resize(rows / kBlock);
    hook.bound.count_cached(rows * sizeof(int64_t));
  }
  if (!kept) grow(active.raw_rows, rows);
  active.raw = kept ? state.raw.values.data() : active.raw_rows.data();

  active.codes = nullptr;
  if (hook.bound.over_dictionary()) {
    uint32_t codes = hook.bound.positions();
    active.by_code.resize(codes);
    active.codes = hook.bound.space_column().values<uint32_t>();
    hook.bound.slice(state, 0, codes, parts_[0]->columns);
    berth_call call = BoundHook::call(parts_[0]->columns, codes, &state, cycle.ran(hook));
    if (host::CallError error = hook.point->call(calls_, call, active.by_code)) return error.text();
  }
  for (auto& part : parts_) part->error.clear();
  for (auto [begin, end] : ranges_)
    over_rows(begin, end, [&](model::Row from, model::Row to, Part& part) {
      score_block(cycle, index, active, from, to, part);
    });
  for (const auto& part : parts_)
    if (!part->error.empty()) return part->error;
  return {};
}

// True if all scores are final as they are, which is most often so, and were added to the totals.
bool BatchEvaluator::add_as_is(const HookAt<host::Score>& hook, const int64_t* raw,
                               SearchResult& search_result) {
  if (hook.point->normalise() != BERTH_NORMALISE_NONE) return false;
  int64_t* total = search_result.total.data();
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
Extremes BatchEvaluator::extremes_in(const SearchResult& search_result, const int64_t* raw) const {
  Extremes all;
  for (auto [begin, end] : ranges_) extremes_of_all(raw + begin, end - begin, all);
  if (all.minimum == all.maximum && !all.unscored) return all;
  Extremes found;
  for (auto [begin, end] : ranges_)
    extremes(raw + begin, search_result.total.data() + begin, end - begin, found);
  return found;
}

std::string BatchEvaluator::add_scores(const DecisionContext& cycle, size_t index,
                                       SearchResult& search_result, ActiveScore& active,
                                       HookScores& scores) {
  const auto& hook = cycle.profile->score[index];
  scores.raw_by_row = active.raw;
  scores.final_by_row = active.raw;
  if (add_as_is(hook, active.raw, search_result)) return {};

  const Extremes found = extremes_in(search_result, active.raw);
  if (found.minimum > found.maximum) {  // nothing is scored: 0 for all
    scores.uniform = true;
    scores.uniform_raw = BERTH_NOT_SCORED;
    return {};
  }
  grow(active.final_rows, block_end(cluster_.nodes().rows()));
  scores.final_by_row = active.final_rows.data();
  if (hook.point->normalise() == BERTH_NORMALISE_OWN)
    return add_own(cycle, index, search_result, active, found);

  auto [first, last] = ranges_.front();
  if (host::CallError error = hook.point->check_extremes(calls_, {active.raw + first, last - first},
                                                         found.minimum, found.maximum))
    return error.text();
  if (found.minimum == found.maximum && !found.unscored) {
    scores.uniform = true;
    scores.uniform_raw = found.minimum;
    scores.uniform_final =
        normalised(hook.point->normalise(), found.minimum, found.minimum, found.maximum);
    add_everywhere(hook.weight * scores.uniform_final, search_result);
    return {};
  }
  for (auto [begin, end] : ranges_)
    add_normalised(hook.point->normalise(), active.raw + begin, found, hook.weight,
                   active.final_rows.data() + begin, search_result.total.data() + begin,
                   end - begin);
  return {};
}

// The plugin's own normalising, over the feasible rows put together, since it may not see others.
std::string BatchEvaluator::add_own(const DecisionContext& cycle, size_t index,
                                    SearchResult& search_result, ActiveScore& active,
                                    const Extremes& found) {
  const auto& hook = cycle.profile->score[index];
  std::vector<model::Row> rows;
  std::vector<int64_t> raw;
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] != kFeasible) return;
    rows.push_back(row);
    raw.push_back(active.raw[row]);
  });
  std::vector<int64_t> final(raw.size());
  if (host::CallError error =
          hook.point->normalise_own(calls_, raw, found.minimum, found.maximum, final))
    return error.text();
  for (size_t i = 0; i < rows.size(); ++i) {
    active.final_rows[rows[i]] = raw[i] == BERTH_NOT_SCORED ? 0 : final[i];
    search_result.total[rows[i]] += hook.weight * active.final_rows[rows[i]];
  }
  return {};
}

std::string BatchEvaluator::score(const DecisionContext& cycle, SearchResult& search_result,
                                  std::vector<HookScores>& scores) {
  scores.clear();
  take_ranges(search_result);
  for (auto [begin, end] : ranges_)
    begin_totals(search_result.refuser.data() + begin, search_result.total.data() + begin,
                 end - begin);
  auto& hooks = cycle.profile->score;
  if (scores_.size() < hooks.size()) scores_.resize(hooks.size());
  for (size_t i = 0; i < hooks.size(); ++i) {
    if (!cycle.calls(hooks[i])) continue;
    ActiveScore& active = scores_[i];
    active.state = cycle.score_states[i];
    const std::string& plugin = hooks[i].point->plugin();
    if (active.state->failed) return score_error(plugin, active.state->error);
    HookScores& mine = scores.emplace_back();
    mine.hook = i;
    std::string error;
    if (active.state->prepared.passes()) {
      mine.uniform = true;
      error = add_zero(cycle, i, search_result, mine);
    } else {
      error = score_hook(cycle, i, active);
      if (error.empty()) error = add_scores(cycle, i, search_result, active, mine);
    }
    if (!error.empty()) return score_error(plugin, error);
  }
  return {};
}

// A hook that scores 0 everywhere for this template: normalised like any other score.
std::string BatchEvaluator::add_zero(const DecisionContext& cycle, size_t index,
                                     SearchResult& search_result, HookScores& scores) {
  const auto& hook = cycle.profile->score[index];
  int64_t zero = 0;
  if (hook.point->normalise() == BERTH_NORMALISE_OWN) {
    if (host::CallError error =
            hook.point->normalise_own(calls_, {&zero, 1}, 0, 0, {&scores.uniform_final, 1}))
      return error.text();
  } else {
    scores.uniform_final = normalised(hook.point->normalise(), 0, 0, 0);
  }
  add_everywhere(hook.weight * scores.uniform_final, search_result);
  return {};
}

}  // namespace berth::framework
