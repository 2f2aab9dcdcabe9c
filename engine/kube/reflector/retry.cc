#include "engine/kube/reflector/retry.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/draw.h"

namespace berth::kube {

Time Retry::next(Time now, uint64_t drawn) {
  BERTH_ASSERT(now >= last_);
  if (last_ != Time::min() && now - last_ > kCalm) step_ = kFirst;
  last_ = now;
  const Time base = step_;
  step_ = std::min(2 * step_, kMost);
  return base + Time(below(drawn, static_cast<uint64_t>(base.count())));
}

}  // namespace berth::kube
