#pragma once

// The run's time.

#include <chrono>

#include "engine/base/assert.h"

namespace berth::runtime {

// Since the beginning of the run.
using Time = std::chrono::nanoseconds;

// Time passes only when the owner says so; everything else reads it. One thread.
class Clock {
 public:
  Time now() const { return now_; }
  void set(Time now) {
    BERTH_ASSERT(now >= now_);
    now_ = now;
  }

 private:
  Time now_{};
};

}  // namespace berth::runtime
