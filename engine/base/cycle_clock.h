#pragma once

// Time by the processor's cycle counter, for what is too short or too often measured for a clock.

#include <x86intrin.h>

#include <chrono>
#include <cstdint>

namespace berth {

// Counts at a constant rate on the processors that we support (invariant TSC).
inline uint64_t cycles() { return __rdtsc(); }

// Finds the rate by comparing with a steady clock over its own life: the longer, the better.
class CycleRate {
 public:
  CycleRate() : time_(Clock::now()), cycles_(cycles()) {}

  // Of one cycle, by what is known now. Take it once for numbers that are to be compared.
  double seconds() const {
    const double passed = std::chrono::duration<double>(Clock::now() - time_).count();
    const uint64_t since = cycles() - cycles_;
    return since == 0 ? 0 : passed / static_cast<double>(since);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point time_;
  uint64_t cycles_;
};

}  // namespace berth
