#pragma once

// How a thread waits for another without a futex: short waits cost no system call, long ones little
// CPU time. Between two looks at what it waits for it calls wait().

#include <cstdint>

namespace berth {

class Backoff {
 public:
  // Returns at once at first, then after giving up the rest of the time slice, then after a sleep
  // that doubles up to 100 us: that much later than possible a waiter notices, at most.
  void wait();

 private:
  // Steps of wait(). On a machine with few cores the other side may need this one's core, so
  // spinning is short (a few microseconds).
  static constexpr uint32_t kSpins = 64;
  static constexpr uint32_t kYields = 16;
  static constexpr uint32_t kSleeps = 8;  // up to which the sleep doubles
  static constexpr int64_t kFirstSleepNanoseconds = 800;

  uint32_t step_ = 0;
};

}  // namespace berth
