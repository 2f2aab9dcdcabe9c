#include "engine/framework/evaluation/batch_evaluator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

// The size of the next chunk if the search stops early: as many rows as are still wanted, scaled by
// the share of feasible rows so far.
model::Row chunk_rows(uint32_t missing, const SearchResult& search_result) {
  uint64_t rows = uint64_t{missing} + 1;
  uint64_t seen = uint64_t{search_result.feasible} + search_result.refused;
  if (search_result.feasible != 0) rows = rows * seen / search_result.feasible + 1;
  if (seen != 0 && search_result.feasible == 0) rows = std::max(rows, 2 * seen);
  return static_cast<model::Row>(std::min<uint64_t>(rows, UINT32_MAX / 2));
}

}  // namespace

void BatchEvaluator::begin_filters(const DecisionContext& cycle) {
  const auto& hooks = cycle.profile->filter;
  filters_.clear();
  for (size_t slot = 0; slot < work_.slots(); ++slot) work_.part(slot).failed.clear();
  for (size_t i = 0; i < hooks.size(); ++i) {
    if (!cycle.calls(hooks[i])) continue;
    TemplateHook& state = *cycle.filter_states()[i];
    if (!state.failed && state.prepared.passes()) continue;
    filters_.push_back({i, state.failed, FilterCalls(hooks[i], state, cycle.ran(hooks[i]))});
    ActiveFilter& active = filters_.back();
    if (active.failed) continue;
    if (!active.calls.begin(work_.mine())) {
      active.failed = true;
      note_failed(active, 0, cluster_.nodes().rows(), work_.mine());
    } else if (active.calls.answers_zero()) {
      filters_.pop_back();
    }
  }
}

void BatchEvaluator::note_failed(const ActiveFilter& active, model::Row begin, model::Row end,
                                 RowPart& part) {
  part.failed.push_back({active.index, begin, end, std::exchange(part.error, {})});
}

void BatchEvaluator::filter_block(model::Row begin, model::Row end, SearchResult& search_result,
                                  RowPart& part) {
  // Whole blocks from the table's point of view; rows outside [begin, end) are worked out and not
  // taken.
  const model::Row from = block_begin(begin);
  const model::Row to = std::min(block_end(end), cluster_.nodes().rows());
  std::fill(search_result.refuser + begin, search_result.refuser + end, kFeasible);
  std::fill(search_result.code + begin, search_result.code + end, uint8_t{0});
  part.verdicts.resize(block_end(to - from));
  host::Together::Round round(part.together);
  for (const ActiveFilter& active : filters_)
    if (!active.failed && active.calls.is_apart()) active.calls.post_range(from, to, part);
  round.send();
  for (ActiveFilter& active : filters_) {
    const bool asks = !active.failed;
    const bool answered = asks && active.calls.range(from, to, part.verdicts.data(), part);
    if (asks && !answered) note_failed(active, from, to, part);
    if (!answered) std::fill(part.verdicts.begin(), part.verdicts.end(), uint8_t{BERTH_ERROR});
    refuse(part.verdicts.data() + (begin - from), static_cast<Refuser>(active.index + 1),
           search_result.refuser + begin, search_result.code + begin, end - begin);
  }
}

void BatchEvaluator::filter_rows(const DecisionContext& cycle, model::Row begin, model::Row end,
                                 SearchResult& search_result) {
  work_.over_rows(begin, end, [&](model::Row from, model::Row to, RowPart& part) {
    filter_block(from, to, search_result, part);
  });
  nominated_.apply(cycle, begin, end, search_result);
}

// A filter that fails in a call about several rows fails at each of them, so far. The serial loop
// asks about one row after the other, so the row is asked about alone. False: it fails.
bool BatchEvaluator::settle_error(const DecisionContext& cycle, model::Row row,
                                  SearchResult& search_result) {
  if (search_result.refuser[row] == kFeasible || search_result.code[row] != BERTH_ERROR)
    return true;
  RowVerdict alone = rows_.check(cycle, row);
  if (alone.code == BERTH_ERROR) {
    search_result.error = SearchError{row, alone.refuser, std::move(alone.error)};
    return false;
  }
  search_result.refuser[row] = alone.refuser;
  search_result.code[row] = alone.code;
  return true;
}

// True if the filter of a failed call fails at one of its rows alone.
bool BatchEvaluator::fails_alone(const DecisionContext& cycle, const FailedCall& failed) {
  std::string error;
  for (model::Row row = failed.begin; row < failed.end; ++row)
    if (rows_.verdict(cycle, failed.filter, row, nullptr, error) == BERTH_ERROR) return true;
  return false;
}

// Fails the search if a call failed and none of its rows is to blame: then answers depend on which
// rows a call is about, and nobody knows which of them are right.
void BatchEvaluator::check_failed_calls(const DecisionContext& cycle, SearchResult& search_result) {
  std::vector<FailedCall> failed;
  for (size_t slot = 0; slot < work_.slots(); ++slot)
    std::ranges::move(work_.part(slot).failed, std::back_inserter(failed));
  std::ranges::sort(failed, {},
                    [](const FailedCall& call) { return std::pair(call.filter, call.begin); });
  for (const FailedCall& call : failed) {
    if (fails_alone(cycle, call)) continue;
    const std::string& plugin = cycle.profile->filter[call.filter].point->plugin();
    search_result.error = SearchError{
        call.begin, static_cast<Refuser>(call.filter + 1),
        filter_error(plugin, call.text + "; asked about each of these nodes alone it does not "
                                         "fail: answers must not depend on the other nodes of "
                                         "a call")};
    return;
  }
}

// Takes the rows of an evaluated chunk into the search result, in order, up to where the serial
// loop stops. True if it stops here.
bool BatchEvaluator::take_chunk(const DecisionContext& cycle, model::Row begin, model::Row end,
                                uint32_t wanted, SearchResult& search_result) {
  const Refuser* refusers = search_result.refuser + begin;
  size_t count = end - begin;
  size_t feasible = count_feasible(refusers, count);
  bool stops = search_result.feasible + feasible > wanted ||
               any_error(refusers, search_result.code + begin, count);
  model::Row taken = end;
  if (stops) {
    feasible = 0;
    taken = begin;
    // Blocks that the serial loop passes as a whole.
    while (end - taken >= kBlock) {
      const size_t more = count_feasible(search_result.refuser + taken, kBlock);
      if (search_result.feasible + feasible + more > wanted ||
          any_error(search_result.refuser + taken, search_result.code + taken, kBlock))
        break;
      feasible += more;
      taken += kBlock;
    }
    for (; taken < end; ++taken) {
      if (!settle_error(cycle, taken, search_result)) break;
      if (search_result.refuser[taken] != kFeasible) continue;
      if (search_result.feasible + feasible == wanted) break;
      ++feasible;
    }
    stops = taken != end;
  }
  search_result.feasible += static_cast<uint32_t>(feasible);
  search_result.refused += static_cast<uint32_t>(taken - begin - feasible);
  if (taken == begin) return stops;
  if (!search_result.pieces.empty() && search_result.pieces.back().second == begin) {
    search_result.pieces.back().second = taken;
  } else {
    search_result.pieces.emplace_back(begin, taken);
  }
  return stops;
}

bool BatchEvaluator::search_piece(const DecisionContext& cycle, model::Row begin, model::Row end,
                                  uint32_t wanted, SearchResult& search_result) {
  while (begin < end) {
    model::Row rows = chunk_rows(wanted - search_result.feasible, search_result);
    model::Row chunk_end = rows < end - begin ? std::min(end, block_end(begin + rows)) : end;
    filter_rows(cycle, begin, chunk_end, search_result);
    if (take_chunk(cycle, begin, chunk_end, wanted, search_result)) return true;
    begin = chunk_end;
  }
  return false;
}

// Rows that PreFilter named: few, and looked at one by one.
void BatchEvaluator::search_list(const DecisionContext& cycle, const Search& search,
                                 SearchResult& search_result) {
  search_result.listed = true;
  size_t count = search.only->size();
  for (size_t i = 0; i < count; ++i) {
    model::Row row = (*search.only)[(search.start + i) % count];
    RowVerdict verdict = rows_.check(cycle, row);
    bool feasible = verdict.refuser == kFeasible;
    if (verdict.code == BERTH_ERROR)
      search_result.error = SearchError{row, verdict.refuser, std::move(verdict.error)};
    if (search_result.error || (feasible && search_result.feasible == search.wanted)) return;
    search_result.refuser[row] = verdict.refuser;
    search_result.code[row] = verdict.code;
    search_result.list.push_back(row);
    ++(feasible ? search_result.feasible : search_result.refused);
  }
}

void BatchEvaluator::filter(const DecisionContext& cycle, const Search& search,
                            SearchResult& search_result) {
  BERTH_ASSERT(cycle.filters_resolved());
  const model::Row all = cluster_.nodes().rows();
  search_result.begin(all);
  cycle.refresh_filters();
  if (search.only != nullptr) return search_list(cycle, search, search_result);
  begin_filters(cycle);
  if (!search_piece(cycle, search.start, all, search.wanted, search_result))
    search_piece(cycle, 0, search.start, search.wanted, search_result);
  if (!search_result.error) check_failed_calls(cycle, search_result);
}

// Writes the raw scores of the searched rows, and of others in their blocks. An error's text, or
// empty.
std::string BatchEvaluator::raw_scores(ScoreCalls& calls, std::vector<int64_t>& raw) {
  const model::Row rows = cluster_.nodes().rows();
  if (raw.size() < block_end(rows)) raw.resize(block_end(rows));
  work_.clear_errors();
  if (!calls.begin(work_.mine())) return work_.error();
  for (auto [begin, end] : sums_.ranges())
    if (!calls.rows(block_begin(begin), std::min(block_end(end), rows), raw.data(), work_)) break;
  return work_.error();
}

// Posts the calls of scores whose plugins run in processes of their own, if each is asked about one
// range, on this thread.
void BatchEvaluator::post_scores() {
  if (sums_.ranges().size() != 1) return;
  const auto [begin, end] = sums_.ranges().front();
  const model::Row from = block_begin(begin);
  const model::Row to = std::min(block_end(end), cluster_.nodes().rows());
  if (!work_.is_whole(from, to)) return;
  for (const ActiveScore& active : scores_)
    if (active.asks() && active.calls.is_apart()) active.calls.post_range(from, to, work_.mine());
}

void BatchEvaluator::begin_scores(const DecisionContext& cycle) {
  const auto& hooks = cycle.profile->score;
  scores_.clear();
  for (size_t i = 0; i < hooks.size(); ++i) {
    if (!cycle.calls(hooks[i])) continue;
    TemplateHook& state = *cycle.score_states()[i];
    scores_.push_back({i, &state, {}});
    ActiveScore& active = scores_.back();
    if (active.asks()) active.calls = ScoreCalls(hooks[i], state, cycle.ran(hooks[i]));
  }
}

std::string BatchEvaluator::score(const DecisionContext& cycle, SearchResult& search_result) {
  BERTH_ASSERT(cycle.scores_resolved());
  sums_.begin(cycle, search_result);
  cycle.refresh_scores();
  begin_scores(cycle);
  raw_.resize(std::max(raw_.size(), cycle.profile->score.size()));
  host::Together::Round round(work_.mine().together);
  post_scores();
  round.send();
  for (ActiveScore& active : scores_) {
    const size_t i = active.index;
    const std::string& plugin = cycle.profile->score[i].point->plugin();
    if (active.state->failed) return score_error(plugin, active.state->error);
    if (active.asks()) {
      if (const std::string error = raw_scores(active.calls, raw_[i]); !error.empty())
        return score_error(plugin, error);
    }
    const int64_t* raw = active.asks() ? raw_[i].data() : nullptr;
    if (std::string error = sums_.add(i, raw); !error.empty()) return error;
  }
  return {};
}

}  // namespace berth::framework
