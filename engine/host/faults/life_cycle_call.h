#pragma once

// A call of a function of a plugin that is no hook: its static constructors and destructors, the
// entry function, `validate`, `create`, `init`, `extension`, `actions`, `destroy`. Names it in the
// message of a fault, and ends the process if it does not return (stuck_call.h). Calls of hooks
// have the watchdog (calls/checks/watchdog.h), which costs them less.

#include <chrono>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

class LifeCycleCall {
 public:
  static constexpr std::chrono::milliseconds kLimit = std::chrono::seconds(30);

  // `function` outlives the object. A call inside of another one, or beside it on another thread,
  // has the other's time. The first call starts the thread that looks at them.
  explicit LifeCycleCall(const PluginFunction& function);
  ~LifeCycleCall();
  LifeCycleCall(const LifeCycleCall&) = delete;
  LifeCycleCall& operator=(const LifeCycleCall&) = delete;

  // From now until the process ends, plugins' static destructors run. To be called by a function of
  // atexit().
  static void begin_exit() noexcept;

  // The time that each later call may take; kLimit before.
  static void set_limit(std::chrono::milliseconds limit);

 private:
  bool watches_;  // it is this call that is looked at
  InPlugin scope_;
};

}  // namespace berth::host
