#include "engine/base/histogram.h"

#include <algorithm>
#include <cmath>

#include "engine/base/assert.h"

namespace berth {

uint64_t Histogram::highest(uint32_t bucket) {
  if (bucket < 2 * kSplits) return bucket;
  const uint32_t shift = bucket / kSplits - 1;
  const uint64_t first = uint64_t{bucket - shift * kSplits} << shift;
  return first + ((uint64_t{1} << shift) - 1);
}

std::vector<std::pair<uint64_t, uint64_t>> Histogram::buckets() const {
  std::vector<std::pair<uint64_t, uint64_t>> held;
  for (uint32_t bucket = 0; bucket < kBuckets; ++bucket)
    if (counts_[bucket] != 0) held.emplace_back(highest(bucket), counts_[bucket]);
  return held;
}

uint64_t Histogram::quantile(double fraction) const {
  BERTH_ASSERT(fraction >= 0 && fraction <= 1);
  if (count_ == 0) return 0;
  auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  rank = std::clamp<uint64_t>(rank, 1, count_);
  uint64_t seen = 0;
  for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) return std::min(highest(bucket), maximum_);
  }
  return maximum_;
}

}  // namespace berth
