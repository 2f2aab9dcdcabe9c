#pragma once

// A stopwatch that can be paused.

#include <chrono>

#include "loadgen/play/play.h"

namespace berth::bench {

// `clock` must outlive it. resume() and pause() may be repeated and then have no effect.
class Stopwatch {
 public:
  explicit Stopwatch(loadgen::WallClock& clock) : clock_(clock) {}

  void resume() {
    if (running_) return;
    running_ = true;
    since_ = clock_.now();
  }
  void pause() {
    if (running_) passed_ += clock_.now() - since_;
    running_ = false;
  }
  bool running() const { return running_; }
  // Total time while it was running.
  double seconds() const {
    const auto passed = running_ ? passed_ + (clock_.now() - since_) : passed_;
    return std::chrono::duration<double>(passed).count();
  }

 private:
  loadgen::WallClock& clock_;
  bool running_ = false;
  loadgen::Nanoseconds passed_{0};
  loadgen::Nanoseconds since_{0};
};

}  // namespace berth::bench
