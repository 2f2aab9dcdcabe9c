#pragma once

// The loop of the server's thread: descriptors that are ready, timers, calls from other threads.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/base/mutex.h"
#include "engine/base/time.h"

namespace berth::apiserver {

// Is told that a descriptor is ready.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void ready(uint32_t events) = 0;  // EPOLLIN and its kin
};

// One thread, but for post() and stop(). Each turn serves the descriptors that are ready, then the
// calls of other threads, then the timers that are due, and then calls the end of the turn.
class EventLoop {
 public:
  using Call = std::function<void()>;

  EventLoop();  // throws Error
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // The monotonic clock of the machine, read anew by each call.
  static Time now();

  // `events`: EPOLLIN and its kin, reported as long as they last. The watcher lives, and the
  // descriptor stays open, to the end of the turn that forgets it.
  void watch(int descriptor, uint32_t events, Watcher& watcher);
  void change(int descriptor, uint32_t events, Watcher& watcher);
  void forget(int descriptor);

  // Calls `due` once, at that time or up to a millisecond later, never within this call. Those of
  // one time come in the order of the calls. Returns a number, which is not 0.
  uint64_t at(Time time, Call due);
  // The call is not made. No effect if it was made, is being made, or the number is 0.
  void cancel(uint64_t timer);

  // Calls `call` in the thread of the loop. Any thread.
  void post(Call call);
  // run() returns after the current turn, or the next call of it at once. Any thread, and handlers
  // of signals.
  void stop();

  // Turns until stop(). `turn_end` returns true if the next turn must not wait.
  void run(const std::function<bool()>& turn_end);

 private:
  void control(int operation, int descriptor, uint32_t events, Watcher* watcher);
  void wake();
  void serve_descriptors(bool may_wait);
  int wait_ms() const;
  void serve_posts();
  void serve_timers();

  Descriptor epoll_, wake_;
  std::map<std::pair<Time, uint64_t>, Call> timers_;
  std::unordered_map<uint64_t, Time> times_;  // of timers, by their numbers
  uint64_t last_timer_ = 0;
  std::atomic<bool> stopped_{false};

  Mutex mutex_;
  std::vector<Call> posts_ BERTH_GUARDED_BY(mutex_);
};

}  // namespace berth::apiserver
