#pragma once

// What happened, in words, and the first thing that is wrong.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"

namespace berth::service_simulation {

class Trace {
 public:
  // `now` tells the time of a line.
  explicit Trace(std::function<Time()> now) : now_(std::move(now)) {}

  void add(const std::string& words) {
    lines_.push_back(std::to_string(now_().count() / 1'000'000) + "ms " + words);
  }
  void wrong(const std::string& words) {
    add("WRONG: " + words);
    if (!fault_.empty()) return;
    fault_ = words;
    until_fault_ = lines_.size();
  }

  Time now() const { return now_(); }
  const std::string& fault() const { return fault_; }  // empty: nothing is wrong
  size_t until_fault() const { return until_fault_; }  // lines, with that of the fault
  std::vector<std::string> take() { return std::exchange(lines_, {}); }

 private:
  const std::function<Time()> now_;
  std::vector<std::string> lines_;
  std::string fault_;
  size_t until_fault_ = 0;
};

}  // namespace berth::service_simulation
