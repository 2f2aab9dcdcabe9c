#pragma once

#include <chrono>

namespace berth::binding {

using Time = std::chrono::nanoseconds;  // since the start of the clock, or a duration

}  // namespace berth::binding
