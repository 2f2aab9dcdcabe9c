#pragma once

// The numbers of pods in each queue in the course of a run: at most kMost samples, at equal
// distances on the run's clock. When there are more, every second one is dropped and the distance
// doubles, so a run of any length has between half of that number and all of it.

#include <chrono>
#include <vector>

#include "engine/base/time.h"
#include "engine/output/summary.h"

namespace berth::drive {

class QueueHistory {
 public:
  static constexpr size_t kMost = 128;

  // True if it is time for a sample. Times do not go backwards.
  bool due(Time now) const { return now >= next_; }
  void add(Time now, output::QueueSizes sizes);
  const std::vector<output::QueueSizes>& samples() const { return samples_; }

 private:
  std::vector<output::QueueSizes> samples_;
  Time distance_ = std::chrono::milliseconds(1);
  Time next_{};
};

}  // namespace berth::drive
