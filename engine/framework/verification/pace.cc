#include "engine/framework/verification/pace.h"

#include "engine/base/draw.h"

namespace berth::framework {

// A call about one row takes some 250 ns with all that the reference evaluation does for it, and a
// decision of a busy core three microseconds or more.
uint64_t VerificationPace::length() const {
  constexpr uint64_t kFewest = 4096, kDecisionsPerCall = 8;
  return every_ == kAsItPays ? kFewest + calls_ * kDecisionsPerCall : every_;
}

bool VerificationPace::next() {
  if (left_ == 0) {
    left_ = length();
    place_ = below(draw(seed_, stretches_++, 0, Purpose::kVerification), left_);
  }
  return --left_ == place_;
}

}  // namespace berth::framework
