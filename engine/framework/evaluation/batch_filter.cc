#include "engine/framework/evaluation/batch_parts.h"

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

BatchEvaluator::BatchEvaluator(model::Cluster& cluster, host::CallContext& calls,
                               FullOptions options)
    : cluster_(cluster),
      calls_(calls),
      options_(options),
      rows_(cluster, calls),
      nominated_(cluster, calls, rows_) {
  BERTH_ASSERT(options.grain % kBlock == 0 && options.grain != 0);
  parts_.push_back(std::make_unique<Part>(&calls));
  const int threads = options.workers == nullptr ? 1 : options.workers->threads();
  for (int i = 1; i < threads; ++i) parts_.push_back(std::make_unique<Part>(nullptr));
}

BatchEvaluator::~BatchEvaluator() = default;

uint64_t BatchEvaluator::rows_off_main() const {
  uint64_t rows = 0;
  for (size_t i = 1; i < parts_.size(); ++i) rows += parts_[i]->rows;
  return rows;
}

std::vector<host::CallContext*> BatchEvaluator::workers() const {
  std::vector<host::CallContext*> workers;
  for (size_t i = 1; i < parts_.size(); ++i) workers.push_back(parts_[i]->calls);
  return workers;
}

// Prepares the parts that do not depend on rows: states, stamps, and the answers of hooks over
// dictionaries.
void BatchEvaluator::begin_filters(const DecisionContext& cycle) {
  cycle.profile->bound_caches(options_.cache_bytes);
  auto& hooks = cycle.profile->filter;
  size_t used = 0;
  for (size_t i = 0; i < hooks.size(); ++i) {
    auto& hook = hooks[i];
    if (!cycle.calls(hook)) continue;
    TemplateHook& state = *cycle.filter_states[i];
    if (!state.failed && state.prepared.passes()) continue;
    if (used == filters_.size()) filters_.emplace_back();
    ActiveFilter& active = filters_[used++];
    active.index = i;
    active.state = &state;
    active.codes = nullptr;
    bool kept = options_.keeps && !state.failed && hook.point->depends() == BERTH_DEPENDS_DECLARED;
    active.stamp = kept ? hook.bound.whole_stamp(state) : 0;
    active.now_of_all = kept && alone() ? active.stamp + hook.bound.rows_stamp(state) : 0;
    if (!hook.bound.over_dictionary() || state.failed) continue;

    uint32_t codes = hook.bound.positions();
    active.by_code.resize(codes);
    active.codes = hook.bound.space_column().values<uint32_t>();
    hook.bound.slice(state, 0, codes, parts_[0]->columns);
    berth_call call = BoundHook::call(parts_[0]->columns, codes, &state, cycle.ran(hook));
    if (host::CallError error = hook.point->call(calls_, call, active.by_code)) {
      std::fill(active.by_code.begin(), active.by_code.end(), uint8_t{BERTH_ERROR});
      active.stamp = 0;  // a failure is not kept
    }
  }
  filters_.resize(used);
}

// The verdicts of rows [begin, end), begin a multiple of 64, from the cache or by calls.
const uint8_t* BatchEvaluator::verdicts(const DecisionContext& cycle, ActiveFilter& active,
                                        model::Row begin, model::Row end, Part& part) {
  if (active.stamp == 0) {
    part.verdicts.resize(block_end(end - begin));
    ask(cycle, active, begin, end, part.verdicts.data(), part);
    return part.verdicts.data();
  }
  auto& hook = cycle.profile->filter[active.index];
  RowCache<uint8_t>& cache = active.state->verdicts;
  refresh(
      cache, active.now_of_all, begin, end,
      [&](uint32_t block) { return hook.bound.block_stamp(*active.state, active.stamp, block); },
      [&](model::Row from, model::Row to) {
        return ask(cycle, active, from, to, cache.values.data() + from, part);
      });
  return cache.values.data() + begin;
}

// False: the hook failed, and so did every row: the one that counts is asked again for its text.
bool BatchEvaluator::ask(const DecisionContext& cycle, ActiveFilter& active, model::Row begin,
                         model::Row end, uint8_t* out, Part& part) {
  auto& hook = cycle.profile->filter[active.index];
  bool fails = active.state->failed;
  if (!fails && active.codes != nullptr) {
    expand(active.codes + begin, active.by_code.data(), out, end - begin);
  } else if (!fails) {
    hook.bound.slice(*active.state, begin, end, part.columns);
    berth_call call = BoundHook::call(part.columns, end - begin, active.state, cycle.ran(hook));
    fails = static_cast<bool>(hook.point->call(*part.calls, call, {out, end - begin}));
  }
  if (fails) std::fill(out, out + (end - begin), uint8_t{BERTH_ERROR});
  return !fails;
}

void BatchEvaluator::filter_block(const DecisionContext& cycle, model::Row begin, model::Row end,
                                  SearchResult& search_result, Part& part) {
  // Whole blocks from the table's point of view; rows outside [begin, end) are worked out and not
  // taken.
  model::Row from = block_begin(begin);
  model::Row to = std::min(block_end(end), cluster_.nodes().rows());
  std::fill(search_result.refuser.begin() + begin, search_result.refuser.begin() + end, kFeasible);
  std::fill(search_result.code.begin() + begin, search_result.code.begin() + end, uint8_t{0});
  for (ActiveFilter& active : filters_) {
    const uint8_t* found = verdicts(cycle, active, from, to, part);
    refuse(found + (begin - from), static_cast<Refuser>(active.index + 1),
           search_result.refuser.data() + begin, search_result.code.data() + begin, end - begin);
  }
}

void BatchEvaluator::filter_rows(const DecisionContext& cycle, model::Row begin, model::Row end,
                                 SearchResult& search_result) {
  over_rows(begin, end, [&](model::Row from, model::Row to, Part& part) {
    filter_block(cycle, from, to, search_result, part);
  });
  nominated_.apply(cycle, begin, end, search_result);
}

// Takes the rows of an evaluated chunk into the search result, in order, up to where the serial
// loop stops. True if it stops here.
bool BatchEvaluator::take_chunk(const DecisionContext& cycle, model::Row begin, model::Row end,
                                uint32_t wanted, SearchResult& search_result) {
  const Refuser* refusers = search_result.refuser.data() + begin;
  size_t count = end - begin;
  size_t feasible = count_feasible(refusers, count);
  bool stops = search_result.feasible + feasible > wanted ||
               any_error(refusers, search_result.code.data() + begin, count);
  model::Row taken = end;
  if (stops) {
    feasible = 0;
    taken = begin;
    // Blocks that the serial loop passes as a whole.
    while (end - taken >= kBlock) {
      const size_t more = count_feasible(search_result.refuser.data() + taken, kBlock);
      if (search_result.feasible + feasible + more > wanted ||
          any_error(search_result.refuser.data() + taken, search_result.code.data() + taken,
                    kBlock))
        break;
      feasible += more;
      taken += kBlock;
    }
    for (; taken < end; ++taken) {
      if (search_result.refuser[taken] == kFeasible) {
        if (search_result.feasible + feasible == wanted) break;
        ++feasible;
      } else if (search_result.code[taken] == BERTH_ERROR) {
        search_result.error = SearchError{taken, rows_.check(cycle, taken).error};
        break;
      }
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

void BatchEvaluator::search_all(const DecisionContext& cycle, const Search& search,
                                SearchResult& search_result) {
  model::Row all = cluster_.nodes().rows();
  for (ActiveFilter& active : filters_) {
    if (active.stamp == 0) continue;
    RowCache<uint8_t>& cache = active.state->verdicts;
    if (cache.values.size() >= all) continue;
    cache.values.resize(block_end(all));
    cache.stamps.resize(block_end(all) / kBlock);
    cycle.profile->filter[active.index].bound.count_cached(block_end(all));
  }
  if (search_piece(cycle, search.start, all, search.wanted, search_result)) return;
  search_piece(cycle, 0, search.start, search.wanted, search_result);
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
      search_result.error = SearchError{row, std::move(verdict.error)};
    if (search_result.error || (feasible && search_result.feasible == search.wanted)) return;
    search_result.refuser[row] = verdict.refuser;
    search_result.code[row] = verdict.code;
    search_result.list.push_back(row);
    ++(feasible ? search_result.feasible : search_result.refused);
  }
}

void BatchEvaluator::filter(const DecisionContext& cycle, const Search& search,
                            SearchResult& search_result) {
  search_result.begin(cluster_.nodes().rows());
  if (search.only != nullptr) return search_list(cycle, search, search_result);
  begin_filters(cycle);
  search_all(cycle, search, search_result);
}

}  // namespace berth::framework
