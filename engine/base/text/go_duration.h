#pragma once

// Durations as Kubernetes prints them, which is how Go does: "0s", "1.5ms", "3s", "1m0s",
// "1h0m0.25s".

#include <chrono>
#include <string>

namespace berth {

std::string go_duration(std::chrono::nanoseconds duration);

}  // namespace berth
