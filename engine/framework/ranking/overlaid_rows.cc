// Rows that have another verdict because of pods that are nominated to them.
//
// Where hundreds of pods wait for the victims of their preemptions, as many rows are overlaid in
// each decision, and mostly in the same way as in the one before. So overlays remain from one
// decision of a kind of pods to the next, but for rows that changed (kept/row_versions.h).

#include <algorithm>

#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

void Verdicts::end(const Overlays::One& one) {
  set(one.row, one.own_refuser, one.own_code);
  settle(one.row);
}

void Verdicts::end_overlays() {
  for (const Overlays::One& one : overlays_.all()) end(one);
  overlays_.forget();
}

void Verdicts::overlays_are_of(uint64_t kind, uint64_t version) {
  // Where filters are asked by class, a class that becomes refused says something of rows that did
  // not change.
  overlays_.are_of(by_class() ? 0 : kind, version);
}

void Verdicts::hold_overlays(const RowVersions& versions) {
  overlays_.hold(versions, [this](const Overlays::One& one) { end(one); });
}

bool Verdicts::any_changed_is_overlaid() const {
  return !overlays_.empty() &&
         std::ranges::any_of(changed_, [&](model::Row row) { return overlays_.has(row); });
}

void Verdicts::overlay(model::Row row, const RowVerdict& verdict) {
  overlays_.add({row, verdict.refuser, own_.refusers()[row], verdict.code, own_.codes()[row]});
  set(row, verdict.refuser, verdict.code);
  if (by_class()) whole_.set(row, verdict.refuser, verdict.code);
}

}  // namespace berth::framework
