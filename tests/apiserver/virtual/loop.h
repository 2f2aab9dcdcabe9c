#pragma once

// Virtual time, for a client and the server that it talks to.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/kube/loop.h"
#include "tests/apiserver/api/clock.h"

namespace berth::apiserver {

// Time passes in run functions alone.
class VirtualLoop : public kube::Loop {
 public:
  // `start`: the wall clock at time 0.
  explicit VirtualLoop(Nanoseconds start) : wall_offset_(start) {}

  Time now() const override { return now_; }
  int64_t wall() const override { return now_.count() + wall_offset_; }
  uint64_t at(Time time, std::function<void()> due) override;
  void cancel(uint64_t timer) override;

  // Calls what is due next. False: nothing is.
  bool step();
  // All that is due up to a time, which it is then.
  void run_until(Time time);
  void run_for(Time wait) { run_until(now_ + wait); }
  // Makes the wall clock jump.
  void jump(Nanoseconds by) { wall_offset_ += by; }
  size_t waiting() const { return timers_.size(); }

 private:
  using Place = std::pair<Time, uint64_t>;  // when, and its number

  Time now_{};
  Nanoseconds wall_offset_;
  uint64_t last_ = 0;
  std::map<Place, std::function<void()>> timers_;
  std::unordered_map<uint64_t, Time> times_;
};

// The clock of a server on the same loop. The jumps of the loop's wall clock are not its own.
class VirtualClock : public Clock {
 public:
  // The loop outlives this.
  explicit VirtualClock(VirtualLoop& loop)
      : loop_(loop), start_(loop.wall() - loop.now().count()) {}

  Nanoseconds now() const override { return start_ + loop_.now().count(); }
  void at(Nanoseconds time, std::function<void()> due) override {
    loop_.at(Time(time - start_), std::move(due));
  }

 private:
  VirtualLoop& loop_;
  const Nanoseconds start_;
};

}  // namespace berth::apiserver
