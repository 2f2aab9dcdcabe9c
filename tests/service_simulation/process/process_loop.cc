#include "tests/service_simulation/process/process_loop.h"

#include <algorithm>
#include <utility>

namespace berth::service_simulation {

ProcessLoop::~ProcessLoop() { end(); }

void ProcessLoop::end() {
  ended_ = true;
  world_.cancel(std::exchange(end_of_pause_, 0));
  for (const auto& [number, timer] : timers_) world_.cancel(timer.in_world);
  timers_.clear();
}

uint64_t ProcessLoop::at(Time time, std::function<void()> due) {
  const uint64_t number = ++last_;
  if (ended_) return number;
  const uint64_t in_world = world_.at(time, [this, number] { fall_due(number); });
  timers_.emplace(number, Timer{in_world, std::move(due)});
  return number;
}

void ProcessLoop::cancel(uint64_t timer) {
  const auto found = timers_.find(timer);
  if (found == timers_.end()) return;
  world_.cancel(found->second.in_world);
  timers_.erase(found);
}

void ProcessLoop::pause(Time until) {
  paused_until_ = std::max(paused_until_, until);
  world_.cancel(end_of_pause_);
  end_of_pause_ = world_.at(paused_until_, [this] { go_on(); });
}

void ProcessLoop::fall_due(uint64_t number) {
  if (end_of_pause_ != 0) {
    late_.push_back(number);
  } else {
    call(number);
  }
}

void ProcessLoop::call(uint64_t number) {
  auto timer = timers_.extract(number);
  if (timer.empty()) return;
  timer.mapped().due();
  if (!ended_) after_each_();
}

void ProcessLoop::go_on() {
  end_of_pause_ = 0;
  for (const uint64_t number : std::exchange(late_, {})) call(number);
}

}  // namespace berth::service_simulation
