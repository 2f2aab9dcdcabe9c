#pragma once

// A bucket of one token, which limits a rate. It computes as golang.org/x/time/rate does, with the
// rate as a 32-bit float: at 0.01 per second a token takes slightly more than 100 s.

#include <optional>

#include "engine/base/time.h"

namespace berth::controllers {

class TokenBucket {
 public:
  // `rate`: tokens per second; 0: there is never one. The bucket is full.
  explicit TokenBucket(float rate) : rate_(rate) {}

  // Takes the token. False: there is none yet.
  bool take(Time now);
  // No token can be taken before this time; nothing: never.
  std::optional<Time> earliest() const;
  float rate() const { return rate_; }

 private:
  float rate_;
  double tokens_ = 1;  // at last_
  Time last_{};
};

}  // namespace berth::controllers
