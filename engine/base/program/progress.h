#pragma once

// Shows the progress of a run on one line of stderr. Shows nothing if stderr is not a terminal
// that can erase a line.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace berth {

class Progress {
 public:
  // `what`: the beginning of the line; may be empty. `expected`: the total number of decisions, if
  // it is known.
  explicit Progress(const std::string& what = {}, std::optional<uint64_t> expected = std::nullopt);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call it after each decision with their number so far. Cheap: it reads the clock once in kEvery
  // calls.
  void update(uint64_t decisions) {
    if (shown_ && decisions % kEvery == 0) show(decisions);
  }
  // The same; `note()` is a text behind it, asked for when the line is drawn anew.
  template <typename Note>
  void update(uint64_t decisions, Note&& note) {
    if (shown_ && decisions % kEvery == 0) show(decisions, note());
  }
  void clear();  // erases the line, so that other output can follow

 private:
  static constexpr uint64_t kEvery = 1024;
  void show(uint64_t decisions, const std::string& note = {});

  std::string what_;
  std::optional<uint64_t> expected_;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace berth
