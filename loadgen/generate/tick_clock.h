#pragma once

// The planned time of a load. Time of changes is rounded up to the end of a tick; pods arrive at
// their own times.

#include <algorithm>
#include <cstdint>

#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// All times are in nanoseconds since the load began. One thread.
class TickClock {
 public:
  // Requires: tick > 0.
  explicit TickClock(int64_t tick) : tick_(tick) {}

  // The end of the current tick: a multiple of the tick. Never decreases.
  int64_t now() const { return now_; }
  // The end of the tick that begins at now().
  int64_t next_tick() const { return now_ + tick_; }
  // The latest time of any change or arrival so far: now() or later. Never decreases.
  int64_t latest() const { return latest_; }

  // `time`, rounded up to the end of a tick; kNever from one tick before kNever on.
  int64_t tick_end(int64_t time) const {
    if (time >= kNever - tick_) return kNever;
    return (time + tick_ - 1) / tick_ * tick_;
  }

  // Proceeds to the tick of the next change or arrival, if it is later than now(). Requires:
  // `change` is the end of a tick or kNever, and one of both is before kNever.
  void proceed(int64_t change, int64_t arrival) {
    now_ = std::max(now_, std::min(change, arrival / tick_ * tick_));
    latest_ = std::max(latest_, now_);
  }
  // A pod arrives at `time`.
  void arrive(int64_t time) { latest_ = std::max(latest_, time); }

 private:
  int64_t tick_;
  int64_t now_ = 0;
  int64_t latest_ = 0;
};

}  // namespace berth::loadgen
