#pragma once

// A token bucket as golang.org/x/time/rate has it: `burst` tokens at first and at most, and `qps`
// new ones each second. Counts nanoseconds instead of fractions of a token, so it is exact where an
// interval between tokens is.

#include <algorithm>
#include <cmath>

#include "engine/base/assert.h"
#include "engine/base/time.h"

namespace berth::kube {

class TokenBucket {
 public:
  // qps <= 0: there always is a token. Otherwise requires burst >= 1.
  TokenBucket(double qps, int burst) {
    if (qps <= 0) return;
    BERTH_ASSERT(burst >= 1);
    constexpr double kMost = 4e18;  // of the whole bucket, so that no sum overflows: 127 years
    interval_ = Time(std::llround(std::min(1e9 / qps, kMost / burst)));
    ahead_ = (burst - 1) * interval_;
  }

  // The earliest time, `now` or later, at which there is a token unless one is taken before.
  Time next(Time now) const { return std::max(now, full_ - ahead_); }

  // Requires next(now) == now.
  void take(Time now) {
    BERTH_ASSERT(next(now) == now);
    full_ = std::max(full_, now) + interval_;
  }

 private:
  Time interval_{};  // between two new tokens
  Time ahead_{};     // the last token comes so long before the bucket is full
  Time full_{};      // when the bucket is full again
};

}  // namespace berth::kube
