#pragma once

// Keeps the deadlines of hooks: a call that returns late is failed, and one that does not return is
// named and ends the process. The threads that call hooks pay two plain stores and a load a call
// for it (worker.h) and no clock.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/host/calls/call_context.h"

namespace berth::host {

struct WatchdogOptions {
  // A call that takes longer fails its pod when it returns.
  std::chrono::milliseconds late = std::chrono::seconds(10);
  // A call that takes longer does not return any more.
  std::chrono::milliseconds limit = std::chrono::seconds(30);
  // Called on the watchdog's thread with what to say. Empty: says it on stderr and ends the process
  // with Watchdog::kExitCode, without destructors, since the thread that hangs may hold anything.
  std::function<void(const std::string& message)> on_stuck;
};

// The deadlines without the clock: what a look at the workers at some time means. One thread.
class Deadlines {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Table and workers outlive it.
  Deadlines(const HookTable& hooks, std::vector<CallContext*> workers, WatchdogOptions options);

  // A call is as old as the first look that found it. Each stuck call is reported once.
  void look(Time now);

 private:
  struct Seen {
    uint64_t activity = 0;
    Time since;
    bool late = false;
    bool reported = false;
  };

  void report(HookId hook) const;

  const HookTable& hooks_;
  const std::vector<CallContext*> workers_;
  const WatchdogOptions options_;
  std::vector<Seen> seen_;  // by worker
};

// Looks from a thread of its own, ten times per deadline.
class Watchdog {
 public:
  using Options = WatchdogOptions;
  static constexpr int kExitCode = 70;  // EX_SOFTWARE

  Watchdog(const HookTable& hooks, std::vector<CallContext*> workers, Options options = {});
  ~Watchdog();  // stops the thread
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void run();

  const std::chrono::milliseconds pause_;
  Deadlines deadlines_;  // of the thread alone

  std::mutex mutex_;  // protects stop_
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;  // last: runs when all else is there
};

}  // namespace berth::host
