#include "loadgen/generate/changes/planned_changes.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::loadgen {

uint64_t drawn_for(uint64_t seed, For purpose, const Planned& change) {
  constexpr uint32_t kEntries = 1u << 16;
  const uint32_t of = static_cast<uint32_t>(change.what) * kEntries + change.of % kEntries;
  return drawn(seed, purpose, of, change.number);
}

void PlannedChanges::add(const Planned& change) {
  heap_.push_back({change, added_++});
  Planned& added = heap_.back().change;
  added.at = std::min(added.at, kNever);
  std::push_heap(heap_.begin(), heap_.end(), Later());
}

Planned PlannedChanges::take() {
  BERTH_ASSERT(!heap_.empty());
  std::pop_heap(heap_.begin(), heap_.end(), Later());
  const Planned change = heap_.back().change;
  heap_.pop_back();
  return change;
}

}  // namespace berth::loadgen
