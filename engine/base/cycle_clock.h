#pragma once

// Time from the processor's cycle counter, for intervals too short or too frequent for
// clock_gettime.

#include <chrono>
#include <cstdint>

namespace berth {

// The counter, in cycles since an arbitrary time. It has a constant rate, the same on all cores, on
// the supported processors (invariant TSC; on ARM the system counter). The read is not serialising:
// the processor may reorder it with neighbouring instructions, some tens of cycles.
inline uint64_t cycles() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> would be 60,000 lines to compile
#elif defined(__aarch64__)
  uint64_t counter = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(counter));
  return counter;
#else
#error "no cycle counter is known for this processor"
#endif
}

// Measures the duration of a cycle by comparing the counter with a steady clock since construction.
// The longer the object lives, the more exact the result.
class CycleRate {
 public:
  CycleRate() : time_(Clock::now()), cycles_(cycles()) {}

  // Seconds per cycle, as measured until now. Call it once for values that will be compared.
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
