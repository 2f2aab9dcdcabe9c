#pragma once

// The timers of a loop. Internal to this module.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/time.h"

namespace berth::kube {

// Functions in the order of their times; those of one time, in the order of their numbers.
class Timers {
 public:
  // Precondition: the number is larger than all before it.
  void add(Time time, uint64_t number, std::function<void()> due);
  // False if there is no such timer.
  bool cancel(uint64_t number);

  // The earliest time; nothing if there is no timer.
  std::optional<Time> next() const;
  // Calls those up to `now`, also what they add up to then.
  void run(Time now);

 private:
  std::map<std::pair<Time, uint64_t>, std::function<void()>> due_;
  std::unordered_map<uint64_t, Time> times_;
  uint64_t last_ = 0;  // number
};

}  // namespace berth::kube
