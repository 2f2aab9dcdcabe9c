#pragma once

// The time of a server. Real or virtual.

#include <cstdint>
#include <functional>

namespace berth::apiserver {

// Nanoseconds since 1970, or a duration in nanoseconds.
using Nanoseconds = int64_t;
inline constexpr Nanoseconds kSecond = 1'000'000'000;

// One thread, that of the server's core.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanoseconds now() const = 0;
  // Calls `due` once, at that time or as soon after it as the thread is free, never within this
  // call. Those of one time come in the order of the calls.
  virtual void at(Nanoseconds time, std::function<void()> due) = 0;
};

}  // namespace berth::apiserver
