#include "engine/framework/kept/nominated_overlay.h"

#include <algorithm>

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

void NominatedOverlay::apply(const DecisionContext& context, model::Row begin, model::Row end,
                             SearchResult& result) {
  if (cluster_.nodes().nominations().slots().empty()) return;
  context.refresh_filters();
  if (KeptRows* kept = kept_rows(context)) {
    apply_kept(context, begin, end, result, *kept);
  } else {
    check_all(context, begin, end, result);
  }
}

void NominatedOverlay::find_followers(const DecisionContext& context) {
  if (profile_ == context.profile && resolution_ == context.resolution) return;
  profile_ = context.profile;
  resolution_ = context.resolution;
  follows_.clear();
  for (size_t i = 0; i < profile_->filter.size(); ++i) follows_.push_back(follows_pods(context, i));
}

// The verdict with the nominated pods, or if they change nothing `without`, that of the unchanged
// row. A filter that no pod can change says what it said then: it is not called again.
RowVerdict NominatedOverlay::check(const DecisionContext& context, model::Row row,
                                   RowVerdict without) {
  find_followers(context);
  changed_.begin(context, row);
  changed_.add_nominated();
  const bool known = changed_.error().empty();
  for (size_t i = 0; i < follows_.size(); ++i) {
    if (!context.calls(profile_->filter[i])) continue;
    if (known && !follows_[i]) {
      // Of filters behind the one that refused, nothing is known.
      if (without.refuser == kFeasible || without.refuser > i + 1) continue;
      if (without.refuser == i + 1) return without;
    }
    RowVerdict with;
    with.code = filter_.verdict(context, i, row, &changed_, with.error);
    if (with.code == BERTH_SUCCESS) continue;
    with.refuser = static_cast<Refuser>(i + 1);
    return with;
  }
  return without;
}

void NominatedOverlay::check_all(const DecisionContext& context, model::Row begin, model::Row end,
                                 SearchResult& result) {
  for (const model::Slot slot : cluster_.nodes().nominations().slots()) {
    const model::Row row = cluster_.nodes().row_of(slot);
    if (row == model::kNoRow || row < begin || row >= end) continue;
    if (!any_nominated(cluster_, row, context)) continue;
    const RowVerdict verdict = check(context, row, {result.refuser[row], result.code[row], {}});
    result.refuser[row] = verdict.refuser;
    result.code[row] = verdict.code;
  }
}

void NominatedOverlay::apply_kept(const DecisionContext& context, model::Row begin, model::Row end,
                                  SearchResult& result, KeptRows& kept) {
  constexpr model::Row kRows = RowVersions::kBlock;
  NominatedVerdicts& verdicts = kept.nominated;
  const auto rows = static_cast<model::Row>(kept.versions.rows().size());
  verdicts.resize(rows);
  for (model::Row block = begin / kRows; block * kRows < end; ++block) {
    if (!verdicts.stale(kept.versions, block)) continue;
    const model::Row first = block * kRows, last = std::min(rows, first + kRows);
    const bool good = check_block(context, std::max(first, begin), std::min(last, end),
                                  verdicts.checked(block), result, kept);
    // Rows of the block outside of [begin, end) have no verdict yet.
    if (good && begin <= first && last <= end) verdicts.set_checked(block, kept.versions.now());
  }
  verdicts.write(begin, end, result);
}

// Checks the rows that changed. False: a filter failed, which is not kept.
bool NominatedOverlay::check_block(const DecisionContext& context, model::Row begin, model::Row end,
                                   uint64_t seen, const SearchResult& result, KeptRows& kept) {
  bool good = true;
  for (model::Row row = begin; row < end; ++row)
    if (kept.versions.rows()[row] > seen) good &= keep(context, row, result, kept.nominated);
  return good;
}

bool NominatedOverlay::keep(const DecisionContext& context, model::Row row,
                            const SearchResult& result, NominatedVerdicts& kept) {
  if (!any_nominated(cluster_, row, context)) {
    kept.clear(row);
    return true;
  }
  const RowVerdict verdict = check(context, row, {result.refuser[row], result.code[row], {}});
  kept.set(row, verdict.refuser, verdict.code);
  return verdict.code != BERTH_ERROR;
}

}  // namespace berth::framework
