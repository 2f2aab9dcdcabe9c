#pragma once

// A clock that can stand still.

#include <chrono>

namespace berth::bench {

class Stopwatch {
 public:
  void resume() {
    if (running_) return;
    running_ = true;
    since_ = Clock::now();
  }
  void pause() {
    if (running_) passed_ += Clock::now() - since_;
    running_ = false;
  }
  bool running() const { return running_; }
  // That passed while it ran.
  double seconds() const {
    const Clock::duration passed = running_ ? passed_ + (Clock::now() - since_) : passed_;
    return std::chrono::duration<double>(passed).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool running_ = false;
  Clock::duration passed_{0};
  Clock::time_point since_;
};

}  // namespace berth::bench
