#include "engine/isolation/parent/restart_pace.h"

#include <algorithm>

namespace berth::isolation {

void RestartPace::ended(int64_t at) {
  if (in_a_row_ != 0 && at - last_ >= kForgotten) in_a_row_ = 0;
  ++in_a_row_;
  last_ = at;
}

int64_t RestartPace::until() const {
  constexpr uint32_t kMostDoublings = 20;  // far beyond the longest pause
  const uint32_t doublings = std::min(in_a_row_ - kAtOnce - 1, kMostDoublings);
  return last_ + std::min(kFirstPause << doublings, kLongestPause);
}

}  // namespace berth::isolation
