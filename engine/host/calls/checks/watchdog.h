#pragma once

// Enforces deadlines of calls to plugins. A call that returns after `late` fails its pod. A call
// that has not returned after `limit` ends the process (faults/stuck_call.h).
//
// A thread that calls hooks publishes the current call in one atomic word (CallContext::activity).
// The watchdog's thread reads the words of all contexts at intervals of a tenth of the shorter
// deadline and measures how long each has kept its value. So a call costs two relaxed stores and
// one load, and no clock; in return, the measured age of a call may be one interval too small.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/host/calls/call_context.h"

namespace berth::host {

struct WatchdogOptions {
  // A call that takes longer fails its pod when it returns.
  std::chrono::milliseconds late = std::chrono::seconds(10);
  // A call that takes longer is considered stuck.
  std::chrono::milliseconds limit = std::chrono::seconds(30);
  // Called on the watchdog's thread with a message about a stuck call, instead of ending the
  // process. Empty: the process ends.
  std::function<void(const std::string& message)> on_stuck;
};

// The logic of the watchdog without its clock and thread, for tests. Not thread-safe.
class Deadlines {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // The table and the contexts must outlive this object.
  Deadlines(const HookTable& hooks, std::vector<CallContext*> contexts, WatchdogOptions options);

  // Reads the activity of all contexts at time `now`. The age of a call counts from the first look
  // that saw it. Each stuck call is reported once.
  void look(Time now);

 private:
  struct Seen {
    uint64_t activity = 0;
    Time since;
    bool late = false;
    bool reported = false;
  };

  void report(const CallContext& calls, uint64_t activity) const;

  const HookTable& hooks_;
  const std::vector<CallContext*> contexts_;
  const WatchdogOptions options_;
  std::vector<Seen> seen_;  // by index of the context
};

// Calls Deadlines::look() from a thread of its own, ten times per (shorter) deadline.
class Watchdog {
 public:
  using Options = WatchdogOptions;

  // Starts the thread. The table and the contexts must outlive this object. Made and destroyed
  // while no other thread uses the contexts.
  Watchdog(const HookTable& hooks, std::vector<CallContext*> contexts, Options options = {});
  ~Watchdog();  // stops the thread
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void run();

  const std::chrono::milliseconds pause_;
  const std::vector<CallContext*> contexts_;
  Deadlines deadlines_;  // used only by thread_

  Mutex mutex_;
  std::condition_variable_any wake_;
  bool stop_ BERTH_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace berth::host
