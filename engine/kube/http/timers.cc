#include "engine/kube/http/timers.h"

#include "engine/base/assert.h"

namespace berth::kube {

void Timers::add(Time time, uint64_t number, std::function<void()> due) {
  BERTH_ASSERT(number > last_ && due);
  last_ = number;
  due_.emplace(std::pair(time, number), std::move(due));
  times_.emplace(number, time);
}

bool Timers::cancel(uint64_t number) {
  const auto at = times_.find(number);
  if (at == times_.end()) return false;
  due_.erase({at->second, number});
  times_.erase(at);
  return true;
}

std::optional<Time> Timers::next() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first.first;
}

void Timers::run(Time now) {
  while (!due_.empty() && due_.begin()->first.first <= now) {
    const auto first = due_.extract(due_.begin());
    times_.erase(first.key().second);
    first.mapped()();
  }
}

}  // namespace berth::kube
