#pragma once

// Pods in flight that a plugin may still refuse, and what events since they were popped may help.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/queue/places/queued_pods.h"
#include "engine/queue/queue_event.h"

namespace berth::queue {

struct Flight {
  uint32_t index = 0;             // of the pod
  bool forced = false;            // it backs off when it comes back, whatever refuses it
  std::vector<RefuserId> helped;  // refusers that an event may help, each once
};

class Flights {
 public:
  // Returns the slot, which is to be the pod's.
  uint32_t insert(uint32_t index);
  void erase(QueuedPods& pods, uint32_t index);

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  // The flight in a slot. Requires: slot, a QueuedPod::slot, is below size().
  Flight& operator[](size_t slot) {
    BERTH_ASSERT(slot < size_);
    return flights_[slot];
  }
  const Flight& operator[](size_t slot) const { return const_cast<Flights&>(*this)[slot]; }

 private:
  std::vector<Flight> flights_;  // those behind size_ keep their memory
  size_t size_ = 0;
};

inline uint32_t Flights::insert(uint32_t index) {
  if (size_ == flights_.size()) flights_.emplace_back();
  Flight& flight = flights_[size_];
  flight.index = index;
  flight.forced = false;
  flight.helped.clear();
  return static_cast<uint32_t>(size_++);
}

inline void Flights::erase(QueuedPods& pods, uint32_t index) {
  const uint32_t slot = std::exchange(pods[index].slot, kNoIndex);
  BERTH_ASSERT((*this)[slot].index == index);
  if (slot == --size_) return;
  std::swap(flights_[slot], flights_[size_]);
  pods[flights_[slot].index].slot = slot;
}

}  // namespace berth::queue
