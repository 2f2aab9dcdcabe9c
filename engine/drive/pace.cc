#include "engine/drive/pace.h"

#include <time.h>

#include <algorithm>

#include "engine/base/io/interrupts.h"

namespace berth::drive {

// A signal ends a nap, and one that comes just before a nap is seen after it.
Time Pace::pass_to(Time due, const std::function<bool()>& woken) const {
  if (!wall_) return due;
  const bool waits = machine_ == nullptr || !machine_->past();
  while (waits && !interrupted() && !woken()) {
    const Time left = due - measured();
    if (left <= Time{}) break;
    const timespec nap{.tv_sec = 0, .tv_nsec = std::min(left, kNap).count()};
    ::nanosleep(&nap, nullptr);
  }
  return since_begin();
}

}  // namespace berth::drive
