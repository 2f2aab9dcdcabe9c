#pragma once

// The waits between tries of a request, which differ from client to client and from request to
// request, so that not all come back at once.

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "engine/base/draw.h"
#include "engine/base/time.h"

namespace berth::kube {

// Random numbers; equal seeds give equal ones. One thread.
class Jitter {
 public:
  explicit Jitter(uint64_t seed) : seed_(mix(seed)) {}

  uint64_t number() { return mix(seed_ + ++drawn_); }
  // `wait`, and up to that many percent of it more.
  Time spread(Time wait, uint32_t percent) {
    const uint64_t most = static_cast<uint64_t>(wait.count()) / 100 * percent;
    return wait + Time(below(number(), most + 1));
  }

 private:
  uint64_t seed_;
  uint64_t drawn_ = 0;
};

// Waits that grow: `first`, then `factor` times the one before, at most `most`, and the share of
// chance on top.
struct Waits {
  Time first, most;
  uint32_t factor;
  uint32_t percent;

  // The wait after that many tries, from 1.
  Time after(uint32_t tries, Jitter& jitter) const {
    Time wait = first;
    for (uint32_t i = 1; i < tries && wait < most; ++i) wait *= factor;
    return jitter.spread(std::min(wait, most), percent);
  }
};

// As client-go's retry.DefaultBackoff, which ends after four tries.
inline constexpr Waits kWriteWaits{std::chrono::milliseconds(10), std::chrono::seconds(10), 5, 10};
inline constexpr uint32_t kWriteTries = 4;

}  // namespace berth::kube
