#include "loadgen/generate/arrivals/arrival_queue.h"

#include "engine/base/assert.h"

namespace berth::loadgen {

ArrivalQueue::ArrivalQueue(const std::vector<ArrivalSpec>& arrivals, uint64_t seed)
    : arrivals_(arrivals) {
  times_.reserve(arrivals.size());
  for (uint32_t i = 0; i < arrivals.size(); ++i) {
    times_.emplace_back(arrivals[i], seed, i);
    pods_left_.push_back(arrivals[i].pods);
  }
}

ArrivalQueue::Next ArrivalQueue::next() const {
  Next next;
  for (uint32_t i = 0; i < times_.size(); ++i) {
    if (pods_left_[i] == 0 || times_[i].next() >= next.at) continue;
    next = {times_[i].next(), i};
  }
  return next;
}

bool ArrivalQueue::over() const {
  for (uint32_t i = 0; i < times_.size(); ++i)
    if (arrivals_[i].bounded() && pods_left_[i] != 0 && times_[i].next() != kNever) return false;
  return true;
}

void ArrivalQueue::take_pods(uint32_t arrival, uint64_t pods) {
  BERTH_ASSERT(pods <= pods_left_[arrival]);
  pods_left_[arrival] -= pods;
}

}  // namespace berth::loadgen
