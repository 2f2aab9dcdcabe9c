#include "tests/apiserver/virtual/loop.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::apiserver {

uint64_t VirtualLoop::at(Time time, std::function<void()> due) {
  BERTH_ASSERT(due != nullptr);
  // What is late comes behind what is due now and was asked for before.
  const Time when = std::max(time, now_);
  timers_.emplace(Place(when, ++last_), std::move(due));
  times_.emplace(last_, when);
  return last_;
}

void VirtualLoop::cancel(uint64_t timer) {
  const auto found = times_.find(timer);
  if (found == times_.end()) return;
  timers_.erase(Place(found->second, timer));
  times_.erase(found);
}

bool VirtualLoop::step() {
  if (timers_.empty()) return false;
  auto next = timers_.extract(timers_.begin());
  times_.erase(next.key().second);
  now_ = next.key().first;
  next.mapped()();
  return true;
}

void VirtualLoop::run_until(Time time) {
  BERTH_ASSERT(time >= now_);
  while (!timers_.empty() && timers_.begin()->first.first <= time) step();
  now_ = time;
}

}  // namespace berth::apiserver
