#include "engine/framework/ranking/ranking_evaluator.h"

#include <algorithm>
#include <optional>

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

std::vector<host::CallContext*> RankingEvaluator::helpers() const {
  std::vector<host::CallContext*> all = full_.helpers();
  for (host::CallContext* calls : work_.helpers()) all.push_back(calls);
  return all;
}

// Rows with nominations that count are checked again as the serial loop does it, the nominated pods
// first. False: a filter failed there.
bool RankingEvaluator::overlay_nominated(const DecisionContext& cycle) {
  std::optional<NominatedRows> nominated;
  for (const model::Slot slot : cluster_.nodes().nominated_slots()) {
    const model::Row row = cluster_.nodes().node(slot).row;
    if (row == model::kNoRow || !any_nominated(cluster_, row, cycle)) continue;
    if (!nominated) nominated.emplace(cycle, cluster_, calls_, rows_);
    const RowVerdict verdict = nominated->check(row, ranking_->verdicts.at(row));
    if (verdict.code == BERTH_ERROR) return false;
    ranking_->verdicts.overlay(row, verdict);
  }
  return true;
}

bool RankingEvaluator::search(const DecisionContext& cycle, const Search& search,
                              SearchResult& found) {
  if (search.only != nullptr) return false;
  ranking_ = rankings_.find(cycle);
  if (ranking_ == nullptr) return false;
  few_ = cluster_.nodes().rows() / 2 > search.wanted;
  if (!ranking_->verdicts.catch_up(cycle, work_, changes_, few_)) return false;
  if (!overlay_nominated(cycle)) return false;
  found.begin(cluster_.nodes().rows());
  ranking_->verdicts.search(search, found);
  return true;
}

void RankingEvaluator::filter(const DecisionContext& cycle, const Search& search,
                              SearchResult& found) {
  ranking_ = nullptr;
  searched_ = this->search(cycle, search, found);
  if (!searched_) full_.filter(cycle, search, found);
  if (ranking_ != nullptr) rankings_.used(*ranking_);
}

std::string RankingEvaluator::score(const DecisionContext& cycle, SearchResult& found,
                                    std::vector<HookScores>& scores) {
  const auto failed = [](const TemplateHook* state) { return state != nullptr && state->failed; };
  if (ranking_ == nullptr || std::ranges::any_of(cycle.score_states, failed))
    return full_.score(cycle, found, scores);
  Totals& totals = rankings_.totals(*ranking_, cycle);
  if (!totals.ask(cycle, found, few_, work_, changes_).empty())
    return full_.score(cycle, found, scores);
  const bool kept = searched_ && totals.take(cycle, calls_, ranking_->verdicts, found, scores);
  if (kept) return {};
  sums_.begin(cycle, found, scores);
  return totals.add_to(sums_);
}

}  // namespace berth::framework
