#include "engine/framework/ranking/ranking_evaluator.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

// A search for less than one in so many rows costs so much less than a look at all of them that
// most kinds of pods have to come again before a ranking pays.
constexpr model::Row kFew = 3;

}  // namespace

// The rows with nominations whose overlays are not held.
void RankingEvaluator::find_nominated(const KeptRows* kept) {
  const model::NodeTable& nodes = cluster_.nodes();
  const Verdicts& verdicts = ranking_->verdicts;
  nominated_rows_.clear();
  if (verdicts.overlaid_kind() != 0) {
    kept->versions.for_each_since(verdicts.overlaid_version(), [&](model::Row row) {
      if (nodes.nominations().any(nodes.slot_of(row))) nominated_rows_.push_back(row);
    });
    return;
  }
  for (const model::Slot slot : nodes.nominations().slots())
    if (const model::Row row = nodes.row_of(slot); row != model::kNoRow)
      nominated_rows_.push_back(row);
}

// Rows with nominations that count are checked again as the serial loop does it, the nominated pods
// first. False: a filter failed there.
bool RankingEvaluator::overlay_nominated(const DecisionContext& cycle, SearchResult& found) {
  Verdicts& verdicts = ranking_->verdicts;
  if (cluster_.nodes().nominations().slots().empty()) {
    verdicts.overlays_are_of(0, 0);
    return true;
  }
  const KeptRows* kept = kept_rows(cycle);
  find_nominated(kept);
  verdicts.overlays_are_of(0, 0);
  for (const model::Row row : nominated_rows_) {
    const RowVerdict without = verdicts.at(row);
    found.refuser[row] = without.refuser;
    found.code[row] = without.code;
  }
  full_.nominated().apply(cycle, 0, cluster_.nodes().rows(), found);
  bool good = true;
  for (const model::Row row : nominated_rows_) {
    const RowVerdict with{found.refuser[row], found.code[row], {}};
    const RowVerdict without = verdicts.at(row);
    good &= with.code != BERTH_ERROR;
    if (with.refuser != without.refuser || with.code != without.code) verdicts.overlay(row, with);
  }
  if (good && kept != nullptr) verdicts.overlays_are_of(kept->number, kept->versions.now());
  return good;
}

// Overlays remain where the pod sees the nominations as the last pod of its kind did.
void RankingEvaluator::hold_overlays(const DecisionContext& cycle) {
  Verdicts& verdicts = ranking_->verdicts;
  if (verdicts.overlaid_kind() == 0) return;
  const KeptRows* kept = kept_rows(cycle);
  if (kept != nullptr && kept->number == verdicts.overlaid_kind())
    verdicts.hold_overlays(kept->versions);
}

// Brings the verdicts up to date. Where plugins run in processes of their own, the calls of filters
// are posted together, and with them those of scores about the same rows, so that the decision
// waits once for each process. The answers of scores do not depend on it: an error, too, is found
// by the calls that the decision makes when it scores.
bool RankingEvaluator::catch_up(const DecisionContext& cycle) {
  RowWork& work = full_.work();
  Verdicts& verdicts = ranking_->verdicts;
  hold_overlays(cycle);
  if (!cycle.profile->is_apart()) return verdicts.catch_up(cycle, work, changes_, few_);
  host::Together::Round round(work.mine().together);
  const uint64_t position = verdicts.position();
  verdicts.post(cycle, work, changes_, few_);
  Totals* ahead = ranking_->totals.last_live(*cycle.profile);
  if (ahead != nullptr && !ahead->post_ahead(cycle, position, work.mine(), changes_))
    ahead = nullptr;
  round.send();
  if (!verdicts.catch_up(cycle, work, changes_, few_)) return false;
  if (ahead != nullptr) ahead->advance(verdicts, work.mine(), changes_);
  return true;
}

// True if changed rows may be left. When as many rows changed as there are searches on the way
// around the cluster, this one most likely comes to one of them.
bool RankingEvaluator::may_leave_rows(const DecisionContext& cycle, const Search& search) {
  const model::NodeTable& nodes = cluster_.nodes();
  if (!few_ || !nodes.nominations().slots().empty()) return false;
  if (const Totals* last = ranking_->totals.last_live(*cycle.profile)) last->refresh();
  BERTH_ASSERT(search.wanted != 0);
  const size_t most = std::min<size_t>(nodes.rows() / search.wanted, LeftRows::kMost);
  return ranking_->verdicts.note_left_rows(changes_, most);
}

// Searches without those rows. False: the search failed.
bool RankingEvaluator::search_but_rows(const DecisionContext& cycle, const Search& search,
                                       SearchResult& found) {
  if (!ranking_->verdicts.catch_up_but_rows(cycle, full_.work(), none_)) return false;
  found.begin(cluster_.nodes().rows());
  ranking_->verdicts.search(search, found);
  left_ = !ranking_->verdicts.read_left_row(found);
  return true;
}

bool RankingEvaluator::search(const DecisionContext& cycle, const Search& search,
                              SearchResult& found) {
  left_ = false;
  if (search.only != nullptr) return false;
  few_ = cluster_.nodes().rows() / kFew > search.wanted;
  ranking_ = rankings_.find(cycle, few_);
  if (ranking_ == nullptr) return false;
  if (may_leave_rows(cycle, search) && !search_but_rows(cycle, search, found)) return false;
  if (left_) return true;
  if (!catch_up(cycle)) return false;
  found.begin(cluster_.nodes().rows());
  if (!overlay_nominated(cycle, found)) return false;
  ranking_->verdicts.search(search, found);
  return true;
}

void RankingEvaluator::filter(const DecisionContext& cycle, const Search& search,
                              SearchResult& found) {
  BERTH_ASSERT(cycle.filters_resolved());
  ranking_ = nullptr;
  totals_ = nullptr;  // of an earlier decision, whose ranking may go now
  searched_ = this->search(cycle, search, found);
  if (!searched_) full_.filter(cycle, search, found);
  if (ranking_ != nullptr) rankings_.used(*ranking_);
}

std::string RankingEvaluator::score(const DecisionContext& cycle, SearchResult& found) {
  BERTH_ASSERT(cycle.scores_resolved());
  totals_ = nullptr;
  if (ranking_ == nullptr) return full_.score(cycle, found);
  Totals& totals = rankings_.totals(*ranking_, cycle);
  if (totals.failed()) return full_.score(cycle, found);
  const std::string error = left_ && totals.leaves_noted_rows(ranking_->verdicts)
                                ? totals.ask_but_rows(cycle, found, full_.work(), none_)
                                : totals.ask(cycle, found, few_, full_.work(), changes_);
  if (!error.empty()) return full_.score(cycle, found);
  if (searched_ && totals.take(calls_, ranking_->verdicts, found, searched_totals_)) {
    totals_ = &totals;
    return {};
  }
  full_.sums().begin(cycle, found);
  return totals.add_to(full_.sums());
}

}  // namespace berth::framework
