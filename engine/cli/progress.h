#pragma once

// How far a run is, on one line of a terminal; nothing at all if stderr is none.

#include <chrono>
#include <cstdint>

namespace berth::cli {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }

  // Cheap: looks at the clock once in many calls.
  void update(uint64_t decisions) {
    if (shown_ && decisions % kEvery == 0) show(decisions);
  }
  void clear();

 private:
  static constexpr uint64_t kEvery = 1024;
  void show(uint64_t decisions);

  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace berth::cli
