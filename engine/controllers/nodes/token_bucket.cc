#include "engine/controllers/nodes/token_bucket.h"

#include <algorithm>
#include <chrono>

namespace berth::controllers {

bool TokenBucket::take(Time now) {
  if (rate_ == 0) return false;
  const double rate = rate_;
  const auto whole = std::chrono::floor<std::chrono::seconds>(now - last_);
  const double elapsed =
      static_cast<double>(whole.count()) + static_cast<double>((now - last_ - whole).count()) / 1e9;
  const double tokens = std::min(tokens_ + elapsed * rate, 1.0) - 1;
  if (tokens < 0 && -tokens / rate * 1e9 >= 1) return false;  // a nanosecond or more is missing
  tokens_ = tokens;
  last_ = now;
  return true;
}

std::optional<Time> TokenBucket::earliest() const {
  if (rate_ == 0) return std::nullopt;
  if (tokens_ >= 1) return last_;
  constexpr double kRounding = 1e3;  // nanoseconds
  return last_ +
         Time(static_cast<Time::rep>(std::max((1 - tokens_) / rate_ * 1e9 - kRounding, 0.)));
}

}  // namespace berth::controllers
