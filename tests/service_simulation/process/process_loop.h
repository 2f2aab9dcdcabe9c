#pragma once

// The loop of one process in the virtual time of the world. A process that is stopped (SIGSTOP)
// finds its calls late. Its wall clock may jump for itself.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "engine/kube/loop.h"
#include "tests/apiserver/virtual/loop.h"

namespace berth::service_simulation {

class ProcessLoop : public kube::Loop {
 public:
  // The world outlives this. `after_each` is called behind each call.
  ProcessLoop(apiserver::VirtualLoop& world, std::function<void()> after_each)
      : world_(world), after_each_(std::move(after_each)) {}
  ~ProcessLoop() override;
  ProcessLoop(const ProcessLoop&) = delete;
  ProcessLoop& operator=(const ProcessLoop&) = delete;

  Time now() const override { return world_.now(); }
  int64_t wall() const override { return world_.wall() + wall_ahead_.count(); }
  uint64_t at(Time time, std::function<void()> due) override;
  void cancel(uint64_t timer) override;

  // A longer pause goes on.
  void pause(Time until);
  void jump(Time by) { wall_ahead_ += by; }
  // Nothing is called any more.
  void end();

 private:
  struct Timer {
    uint64_t in_world = 0;
    std::function<void()> due;
  };

  void fall_due(uint64_t number);
  void call(uint64_t number);
  void go_on();

  apiserver::VirtualLoop& world_;
  const std::function<void()> after_each_;
  Time paused_until_{}, wall_ahead_{};
  std::deque<uint64_t> late_;  // that fell due in a pause, in their order; may have been cancelled
  uint64_t end_of_pause_ = 0;  // timer of the world
  bool ended_ = false;
  uint64_t last_ = 0;
  std::map<uint64_t, Timer> timers_;
};

}  // namespace berth::service_simulation
