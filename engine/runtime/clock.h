#pragma once

// The run's time.

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "engine/base/assert.h"
#include "engine/base/time.h"

namespace berth::runtime {

// Time passes only when the owner says so; everything else reads it. One thread.
class Clock {
 public:
  Time now() const { return now_; }
  // The same moment in nanoseconds since 1970, as objects of a cluster tell time.
  int64_t wall() const { return epoch_ + now_.count(); }
  // The run begins after everything that the input tells of: `seen` is no later than now.
  void has_seen(int64_t seen) { epoch_ = std::max(epoch_, seen - now_.count()); }
  void set(Time now) {
    BERTH_ASSERT(now >= now_);
    now_ = now;
  }

 private:
  static constexpr int64_t k2024 = 1'704'067'200'000'000'000;

  Time now_{};
  int64_t epoch_ = k2024;  // of the beginning
};

}  // namespace berth::runtime
