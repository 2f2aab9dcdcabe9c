#pragma once

// The passing of time in a run. Virtual: a decision takes one millisecond, and where nothing can be
// decided the clock moves to the next thing that falls due, so the run depends on its input alone.
// Wall: the run's clock is the machine's, and whatever waits takes real time.

#include <chrono>
#include <cstdint>
#include <functional>

#include "engine/base/assert.h"
#include "engine/base/time.h"
#include "engine/drive/machine.h"
#include "engine/runtime/clock.h"

namespace berth::drive {

enum class ClockKind : uint8_t { kVirtual, kWall };

class Pace {
 public:
  // `machine`: asked for the time of the wall clock, and outlives this; null: it is measured.
  explicit Pace(ClockKind kind, Machine* machine = nullptr)
      : wall_(kind == ClockKind::kWall), machine_(machine) {}

  bool wall() const { return wall_; }
  // The run begins now.
  void begin() { begun_ = Steady::now(); }
  // The run's time at the next decision, after `now`.
  Time of_decision(Time now) const { return wall_ ? since_begin() : now + kDecisionTime; }
  // By the wall clock. Precondition: begin() was called.
  Time since_begin() const {
    const Time time = measured();
    return machine_ == nullptr ? time : machine_->time(time);
  }
  // The same moment of the run on the machine's clock. Precondition: begin() was called.
  std::chrono::steady_clock::time_point on_machine(Time time) const {
    BERTH_ASSERT(begun());
    return begun_ + time;
  }
  // The reverse of it. The last moment of the machine's clock is the last of the run.
  Time in_run(std::chrono::steady_clock::time_point moment) const {
    BERTH_ASSERT(begun());
    return moment == Steady::time_point::max() ? Time::max() : moment - begun_;
  }
  // Virtual: `due`. Wall: sleeps until then, until the program is interrupted or until `woken` is
  // true, which is asked after each nap, and returns the time.
  Time pass_to(Time due, const std::function<bool()>& woken) const;

  // The longest sleep between two looks at what threads of plugins say.
  static constexpr Time kNap = std::chrono::milliseconds(50);

 private:
  using Steady = std::chrono::steady_clock;
  bool begun() const { return begun_ != Steady::time_point(); }
  Time measured() const {
    BERTH_ASSERT(begun());
    return Steady::now() - begun_;
  }
  // About as long as kube-scheduler needs.
  static constexpr Time kDecisionTime = std::chrono::milliseconds(1);

  bool wall_;
  Machine* machine_;
  Steady::time_point begun_{};
};

}  // namespace berth::drive
