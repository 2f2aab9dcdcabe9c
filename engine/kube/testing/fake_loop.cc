#include "engine/kube/testing/fake_loop.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::kube {

uint64_t FakeLoop::at(Time time, std::function<void()> due) {
  timers_.emplace(std::pair(std::max(time, now_), ++last_timer_), std::move(due));
  return last_timer_;
}

void FakeLoop::cancel(uint64_t timer) {
  std::erase_if(timers_, [&](const auto& entry) { return entry.first.second == timer; });
}

void FakeLoop::advance(Time time) {
  BERTH_ASSERT(time >= Time{});
  const Time end = now_ + time;
  while (!timers_.empty() && timers_.begin()->first.first <= end) {
    auto first = timers_.extract(timers_.begin());
    now_ = first.key().first;
    first.mapped()();
  }
  now_ = end;
}

std::optional<Time> FakeLoop::next() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first.first;
}

}  // namespace berth::kube
