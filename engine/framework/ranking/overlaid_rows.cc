// Rows that have another verdict because of pods that are nominated to them.
//
// Where hundreds of pods wait for the victims of their preemptions, as many rows are overlaid in
// each decision, and mostly in the same way as in the one before. So overlays remain from one
// decision of a kind of pods to the next, but for rows that changed (kept/row_versions.h).

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

void Verdicts::end(const Overlaid& one) {
  set(one.row, one.own_refuser, one.own_code);
  settle(one.row);
}

void Verdicts::end_overlays() {
  for (const Overlaid& one : overlaid_) end(one);
  forget_overlays();
}

void Verdicts::forget_overlays() {
  for (const Overlaid& one : overlaid_)
    if (one.row / kBlock < is_overlaid_.size()) is_overlaid_[one.row / kBlock] = 0;
  overlaid_.clear();
  overlaid_kind_ = 0;
}

void Verdicts::overlays_are_of(uint64_t kind, uint64_t version) {
  // Where filters are asked by class, a class that becomes refused says something of rows that did
  // not change.
  overlaid_kind_ = by_class() ? 0 : kind;
  overlaid_version_ = version;
}

void Verdicts::hold_overlays(const RowVersions& versions) {
  BERTH_ASSERT(overlaid_kind_ != 0);
  const std::span<const uint64_t> by_row = versions.rows();
  std::erase_if(overlaid_, [&](const Overlaid& one) {
    if (one.row < by_row.size() && by_row[one.row] <= overlaid_version_) return false;
    end(one);
    is_overlaid_[one.row / kBlock] &= ~(uint64_t{1} << one.row % kBlock);
    return true;
  });
  holds_ = true;
}

bool Verdicts::any_changed_is_overlaid() const {
  return !overlaid_.empty() &&
         std::ranges::any_of(changed_, [&](model::Row row) { return bit(is_overlaid_, row); });
}

void Verdicts::overlay(model::Row row, const RowVerdict& verdict) {
  BERTH_ASSERT(verdict.refuser != kFeasible && !bit(is_overlaid_, row));
  is_overlaid_[row / kBlock] |= uint64_t{1} << row % kBlock;
  overlaid_.push_back({row, verdict.refuser, refuser_[row], verdict.code, code_[row]});
  set(row, verdict.refuser, verdict.code);
  if (!by_class()) return;
  whole_refuser_[row] = verdict.refuser;
  whole_code_[row] = verdict.code;
}

}  // namespace berth::framework
