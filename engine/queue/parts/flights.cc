#include "engine/queue/parts/flights.h"

#include <utility>

namespace berth::queue {

void Flights::insert(QueuedPods& pods, uint32_t index) {
  if (size_ == flights_.size()) flights_.emplace_back();
  Flight& flight = flights_[size_];
  flight.index = index;
  flight.forced = false;
  flight.helped.clear();
  pods[index].slot = static_cast<uint32_t>(size_++);
}

void Flights::erase(QueuedPods& pods, uint32_t index) {
  const uint32_t slot = std::exchange(pods[index].slot, kNoIndex);
  if (slot == --size_) return;
  std::swap(flights_[slot], flights_[size_]);
  pods[flights_[slot].index].slot = slot;
}

}  // namespace berth::queue
