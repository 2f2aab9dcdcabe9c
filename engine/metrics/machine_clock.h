#pragma once

#include <chrono>
#include <functional>

#include "engine/base/time.h"

namespace berth::metrics {

// The machine's time, since any moment. Does not go backwards.
using MachineClock = std::function<Time()>;

inline double seconds(Time time) { return std::chrono::duration<double>(time).count(); }

}  // namespace berth::metrics
