#include "engine/drive/course/queue_history.h"

namespace berth::drive {

void QueueHistory::add(Time now, output::QueueSizes sizes) {
  if (samples_.size() == kMost) {
    for (size_t i = 0; 2 * i < kMost; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kMost / 2);
    distance_ *= 2;
  }
  sizes.seconds = std::chrono::duration<double>(now).count();
  samples_.push_back(sizes);
  next_ = (now / distance_ + 1) * distance_;
}

}  // namespace berth::drive
