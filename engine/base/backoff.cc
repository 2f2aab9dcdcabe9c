#include "engine/base/backoff.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

namespace berth {
namespace {

void pause_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void Backoff::wait() {
  if (step_ < kSpins) {
    ++step_;
    pause_cpu();
    return;
  }
  if (step_ < kSpins + kYields) {
    ++step_;
    ::sched_yield();
    return;
  }
  const uint32_t doublings = step_ - kSpins - kYields;
  if (doublings < kSleeps - 1) ++step_;
  const timespec time{.tv_sec = 0, .tv_nsec = kFirstSleepNanoseconds << doublings};
  ::nanosleep(&time, nullptr);
}

}  // namespace berth
