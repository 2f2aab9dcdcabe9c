#pragma once

// How far a run is, on one line of a terminal; nothing at all if stderr is none.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace berth {

class Progress {
 public:
  // `what` stands at the beginning of the line, if it is not empty; `expected`: decisions in all.
  explicit Progress(std::string what = {}, std::optional<uint64_t> expected = std::nullopt);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: looks at the clock once in many calls.
  void update(uint64_t decisions) {
    if (shown_ && decisions % kEvery == 0) show(decisions);
  }
  void clear();

 private:
  static constexpr uint64_t kEvery = 1024;
  void show(uint64_t decisions);

  std::string what_;
  std::optional<uint64_t> expected_;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace berth
