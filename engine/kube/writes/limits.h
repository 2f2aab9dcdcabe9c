#pragma once

#include <chrono>

#include "engine/base/time.h"

namespace berth::kube {

// Of each request. A server ends a request after 60 s unless told otherwise; its own word about
// what became of it is worth the wait.
inline constexpr Time kRequestLimit = std::chrono::seconds(65);

}  // namespace berth::kube
