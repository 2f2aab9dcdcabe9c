#include "engine/framework/evaluation/reference.h"

#include <algorithm>
#include <limits>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/scores/normalise.h"

namespace berth::framework {

void ReferenceEvaluator::filter(const DecisionContext& cycle, const Search& search,
                                SearchResult& search_result) {
  BERTH_ASSERT(cycle.filters_resolved());
  model::Row all = cluster_.nodes().rows();
  search_result.begin(all);
  cycle.refresh_filters();
  search_result.listed = true;
  size_t count = search.only != nullptr ? search.only->size() : all;
  for (size_t i = 0; i < count; ++i) {
    auto at = static_cast<model::Row>((search.start + i) % count);
    model::Row row = search.only != nullptr ? (*search.only)[at] : at;
    RowVerdict verdict = rows_.check(cycle, row);
    if (verdict.code == BERTH_ERROR) {
      search_result.error = SearchError{row, verdict.refuser, std::move(verdict.error)};
      return;
    }
    bool feasible = verdict.refuser == kFeasible;
    if (feasible && search_result.feasible == search.wanted) return;
    search_result.refuser[row] = verdict.refuser;
    search_result.code[row] = verdict.code;
    search_result.list.push_back(row);
    ++(feasible ? search_result.feasible : search_result.refused);
  }
}

std::string ReferenceEvaluator::score_hook(const DecisionContext& cycle, size_t index,
                                           const std::vector<model::Row>& rows,
                                           std::vector<int64_t>& raw) {
  auto& hook = cycle.profile->score[index];
  const TemplateHook& state = *cycle.score_states()[index];
  if (state.failed) return score_error(hook.point->plugin(), state.error);
  raw.assign(rows.size(), 0);
  if (state.prepared.passes()) return {};
  for (size_t i = 0; i < rows.size(); ++i) {
    uint32_t position = rows[i];
    if (hook.bound.over_dictionary())
      position = hook.bound.space_column().values<uint32_t>()[position];
    hook.bound.gather(state, {&position, 1}, nullptr, columns_);
    if (view_ == NodeView::kObjectAlone) strip(state);
    berth_call call = BoundHook::call(columns_, 1, &state, cycle.ran(hook));
    if (host::CallError failure = hook.point->call(calls_, call, {&raw[i], 1}))
      return score_error(hook.point->plugin(),
                         failure.text_about([&](size_t) { return hook.bound.node_text(rows[i]); }));
  }
  return {};
}

// Empties the columns of the one gathered row that follow its pods and images.
void ReferenceEvaluator::strip(const TemplateHook& state) {
  using model::Attribute;
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.sources[i].column == nullptr || !state.sources[i].aligned) continue;
    const model::ColumnInfo& info = cluster_.catalog().info(state.inputs[i]);
    const bool of_node_alone = info.attribute == Attribute::kNodeCount &&
                               cluster_.counts().domain_column(info.number) == nullptr;
    model::Gathered& gathered = columns_.gathered[i];
    switch (info.attribute) {
      case Attribute::kNodeCount:
        if (!of_node_alone) continue;
        [[fallthrough]];
      case Attribute::kNodePods:
      case Attribute::kNodeRequested:
      case Attribute::kNodeNonzeroRequested:
        gathered.begin(info.type, info.list);
        gathered.value(int64_t{0});
        break;
      case Attribute::kNodeLowestPriority:
        gathered.begin(info.type, info.list);
        gathered.value(model::kNoPriority);
        break;
      case Attribute::kNodePorts:
      case Attribute::kNodeImages:
      case Attribute::kNodeImageSizes:
      case Attribute::kNodeImageStateSizes:
      case Attribute::kNodeImageStateNodes:
        gathered.begin(info.type, info.list);
        gathered.list(std::span<const uint64_t>());
        break;
      default:
        continue;
    }
    columns_.columns[i] = gathered.view();
  }
}

std::string ReferenceEvaluator::normalise(const HookAt<host::Score>& hook, const void* state,
                                          const std::vector<model::Row>& rows,
                                          const std::vector<int64_t>& raw,
                                          std::vector<int64_t>& final) {
  int64_t minimum = std::numeric_limits<int64_t>::max();
  int64_t maximum = std::numeric_limits<int64_t>::min();
  for (int64_t score : raw) {
    if (score == BERTH_NOT_SCORED) continue;
    minimum = std::min(minimum, score);
    maximum = std::max(maximum, score);
  }
  final.assign(rows.size(), 0);
  if (minimum <= maximum) {
    host::CallError failure;
    if (hook.point->normalise() == BERTH_NORMALISE_OWN) {
      failure = hook.point->normalise_own(calls_, state, raw, minimum, maximum, final);
    } else {
      failure = hook.point->check_extremes(calls_, raw, minimum, maximum);
      if (!failure)
        for (size_t i = 0; i < raw.size(); ++i)
          if (raw[i] != BERTH_NOT_SCORED)
            final[i] = normalised(hook.point->normalise(), raw[i], minimum, maximum);
    }
    if (failure)
      return score_error(hook.point->plugin(), failure.text_about([&](size_t position) {
        return hook.bound.node_text(rows[position]);
      }));
  }
  for (size_t i = 0; i < raw.size(); ++i)
    if (raw[i] == BERTH_NOT_SCORED) final[i] = 0;
  return {};
}

std::string ReferenceEvaluator::score(const DecisionContext& cycle, SearchResult& search_result) {
  BERTH_ASSERT(cycle.scores_resolved());
  cycle.refresh_scores();
  std::vector<model::Row> feasible;
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] == kFeasible) feasible.push_back(row);
  });
  search_result.for_each_row([&](model::Row row) {
    search_result.totals[row] = search_result.refuser[row] == kFeasible ? 0 : kRefusedTotal;
  });
  scores_.clear();
  by_row_.resize(cycle.profile->score.size());
  for (size_t i = 0; i < cycle.profile->score.size(); ++i) {
    const auto& hook = cycle.profile->score[i];
    if (!cycle.calls(hook)) continue;
    std::vector<int64_t> raw, final;
    std::string error = score_hook(cycle, i, feasible, raw);
    const void* const state = cycle.score_states()[i]->prepared.state();
    if (error.empty()) error = normalise(hook, state, feasible, raw, final);
    if (!error.empty()) return error;

    ByRow& by_row = by_row_[i];
    by_row.raw.resize(cluster_.nodes().rows());
    by_row.final.resize(cluster_.nodes().rows());
    for (size_t k = 0; k < feasible.size(); ++k) {
      by_row.raw[feasible[k]] = raw[k];
      by_row.final[feasible[k]] = final[k];
      search_result.totals[feasible[k]] += hook.weight * final[k];
    }
    scores_.push_back(
        {.hook = i, .raw_by_row = by_row.raw.data(), .final_by_row = by_row.final.data()});
  }
  return {};
}

}  // namespace berth::framework
