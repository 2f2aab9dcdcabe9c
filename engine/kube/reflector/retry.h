#pragma once

// The wait before a server is asked again, as client-go's reflector does.

#include <chrono>
#include <cstdint>

#include "engine/base/time.h"

namespace berth::kube {

class Retry {
 public:
  static constexpr Time kFirst = std::chrono::milliseconds(800);
  static constexpr Time kMost = std::chrono::seconds(30);  // before jitter
  static constexpr Time kCalm = std::chrono::minutes(2);   // without a wait: the next is short

  // The next wait: kFirst, then twice the one before, at most kMost, and up to as much again.
  // `drawn`: a random number. `now` does not go back.
  Time next(Time now, uint64_t drawn);

 private:
  Time step_ = kFirst;
  Time last_ = Time::min();  // when a wait began
};

}  // namespace berth::kube
