#include "loadgen/generate/pods/endings.h"

#include <algorithm>
#include <functional>

#include "engine/base/assert.h"

namespace berth::loadgen {

void Endings::add(int64_t tick, const PodIdentity& pod) {
  BERTH_ASSERT(tick < kNever && (taken_ == 0 || tick >= ticks_.front()));
  const auto [bucket, is_new] = pods_.try_emplace(tick);
  bucket->second.push_back(pod);
  if (!is_new) return;
  ticks_.push_back(tick);
  std::push_heap(ticks_.begin(), ticks_.end(), std::greater<>());
}

PodIdentity Endings::take() {
  BERTH_ASSERT(!ticks_.empty());
  const auto first = pods_.find(ticks_.front());
  const PodIdentity pod = first->second[taken_++];
  if (taken_ == first->second.size()) {
    pods_.erase(first);
    std::pop_heap(ticks_.begin(), ticks_.end(), std::greater<>());
    ticks_.pop_back();
    taken_ = 0;
  }
  return pod;
}

}  // namespace berth::loadgen
