#pragma once

#include <chrono>

namespace berth {

// A moment, since the beginning of the clock that drives the reader (a run's clock is
// runtime::Clock), or a duration.
using Time = std::chrono::nanoseconds;

}  // namespace berth
