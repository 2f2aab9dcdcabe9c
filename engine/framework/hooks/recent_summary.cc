// Sums up what changed for the rows of a range. The compiler makes vector code of the loops.

#include "engine/base/vectorise.h"
#include "engine/framework/hooks/recent_rows.h"

namespace berth::framework {

BERTH_VECTORISE
RecentRows::Summary RecentRows::summary_of_many(const Range& range) const {
  model::Changes any = 0, each = model::change::kAll;
  uint32_t all = 0;
  const model::Changes* inputs = inputs_.data();
  for (size_t place = range.begin; place < range.end; ++place) {
    any |= inputs[place];
    each &= inputs[place];
    all |= inputs[place] == model::change::kAll ? 1u : 0u;
  }
  // As many places are stale as list a row again: no row is looked up.
  const uint64_t begin = first_ + range.begin;
  const uint64_t* before = before_.data();
  size_t stale = 0;
  for (size_t place = range.begin; place < range.end; ++place)
    stale += before[place] >= begin ? 1u : 0u;
  return {any, each, all != 0, stale};
}

}  // namespace berth::framework
