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

#include "engine/host/worker.h"

namespace berth::host {

class Watchdog {
 public:
  struct Options {
    // A call that takes longer fails its pod when it returns.
    std::chrono::milliseconds late = std::chrono::seconds(10);
    // A call that takes longer does not return any more.
    std::chrono::milliseconds limit = std::chrono::seconds(30);
    // Called on the watchdog's thread with what to say. Empty: says it on stderr and ends the
    // process with kExitCode, without destructors, since the thread that hangs may hold anything.
    std::function<void(const std::string& message)> on_stuck;
  };
  static constexpr int kExitCode = 70;  // EX_SOFTWARE

  // Table and workers outlive the watchdog. Looks ten times per deadline, so one is noticed up to
  // two tenths after it has passed. Each stuck call is reported once.
  Watchdog(const HookTable& hooks, std::vector<Worker*> workers, Options options);
  Watchdog(const HookTable& hooks, std::vector<Worker*> workers)
      : Watchdog(hooks, std::move(workers), Options()) {}
  ~Watchdog();  // stops the thread
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  struct Seen {
    uint64_t activity = 0;
    std::chrono::steady_clock::time_point since;
    bool late = false;
    bool reported = false;
  };

  void run();
  void look(std::chrono::steady_clock::time_point now);
  void report(HookId hook) const;

  const HookTable& hooks_;
  const std::vector<Worker*> workers_;
  const Options options_;
  std::vector<Seen> seen_;  // of the watchdog's thread alone

  std::mutex mutex_;  // protects stop_
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;  // last: runs when all else is there
};

}  // namespace berth::host
