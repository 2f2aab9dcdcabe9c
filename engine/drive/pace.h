#pragma once

// The passing of time in a run. Virtual: a decision takes one millisecond, and where nothing can be
// decided the clock moves to the next thing that falls due, so the run depends on its input alone.
// Wall: the run's clock is the machine's, and whatever waits takes real time.

#include <chrono>
#include <cstdint>

#include "engine/base/assert.h"
#include "engine/base/time.h"
#include "engine/runtime/clock.h"

namespace berth::drive {

enum class ClockKind : uint8_t { kVirtual, kWall };

class Pace {
 public:
  explicit Pace(ClockKind kind) : wall_(kind == ClockKind::kWall) {}

  bool wall() const { return wall_; }
  // The run begins now.
  void begin() { begun_ = Machine::now(); }
  // The run's time at the next decision, after `now`.
  Time of_decision(Time now) const { return wall_ ? since_begin() : now + kDecisionTime; }
  // By the wall clock. Precondition: begin() was called.
  Time since_begin() const {
    BERTH_ASSERT(begun());
    return Machine::now() - begun_;
  }
  // The same moment of the run on the machine's clock. Precondition: begin() was called.
  std::chrono::steady_clock::time_point on_machine(Time time) const {
    BERTH_ASSERT(begun());
    return begun_ + time;
  }
  // The reverse of it. The last moment of the machine's clock is the last of the run.
  Time in_run(std::chrono::steady_clock::time_point moment) const {
    BERTH_ASSERT(begun());
    return moment == Machine::time_point::max() ? Time::max() : moment - begun_;
  }
  // Virtual: `due`. Wall: sleeps until then, or until the program is interrupted, and returns the
  // time.
  Time pass_to(Time due) const;

 private:
  using Machine = std::chrono::steady_clock;
  bool begun() const { return begun_ != Machine::time_point(); }
  // About as long as kube-scheduler needs.
  static constexpr Time kDecisionTime = std::chrono::milliseconds(1);

  bool wall_;
  Machine::time_point begun_{};
};

}  // namespace berth::drive
