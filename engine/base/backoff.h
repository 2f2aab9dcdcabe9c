#pragma once

// Lets a thread wait for another without a futex: a short wait makes no system call, a long one
// uses little CPU time. The caller loops: check the condition, then call wait().

#include <cstdint>

namespace berth {

class Backoff {
 public:
  // The first calls return at once, the next ones yield the processor, and later ones sleep,
  // doubling up to 100 us. A waiter therefore notices an event at most about 100 us late.
  void wait();

 private:
  // Numbers of calls per phase. On a machine with few cores the other thread may need this core, so
  // the spinning phase is short (a few microseconds).
  static constexpr uint32_t kSpins = 64;
  static constexpr uint32_t kYields = 16;
  static constexpr uint32_t kSleeps = 8;  // number of sleeps that double
  static constexpr int64_t kFirstSleepNanoseconds = 800;

  uint32_t step_ = 0;
};

}  // namespace berth
