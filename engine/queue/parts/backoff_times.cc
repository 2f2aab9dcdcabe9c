#include "engine/queue/parts/backoff_times.h"

namespace berth::queue {

// The initial duration, doubled with each failure after the first.
Time BackoffTimes::duration(uint32_t count) const {
  const uint32_t doublings = count - 1;
  constexpr uint32_t kBits = 63;
  if (doublings >= kBits || initial_ > Time(most_.count() >> doublings))
    return initial_ == Time{} ? Time{} : most_;
  return Time(initial_.count() << doublings);
}

}  // namespace berth::queue
