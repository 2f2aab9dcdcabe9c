#pragma once

// The arrivals of a workload in the order of their times.

#include <cstdint>
#include <vector>

#include "loadgen/generate/draws/arrival_times.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// An arrival is given by its index in the workload. One thread.
class ArrivalQueue {
 public:
  struct Next {
    int64_t at = kNever;  // kNever: nothing arrives any more
    uint32_t arrival = 0;
  };

  // `arrivals` must outlive this. Throws Error if a file of times cannot be read.
  ArrivalQueue(const std::vector<ArrivalSpec>& arrivals, uint64_t seed);

  // The earliest of the arrivals with pods left; of equal times, the first in the workload.
  Next next() const;
  // True if nothing is left of the arrivals that end without a duration.
  bool over() const;

  uint64_t pods_left(uint32_t arrival) const { return pods_left_[arrival]; }
  // Requires: pods <= pods_left(arrival).
  void take_pods(uint32_t arrival, uint64_t pods);
  // Proceeds to the next time of an arrival. Throws Error as TimesFile::next does.
  void pop(uint32_t arrival) { times_[arrival].pop(); }

 private:
  const std::vector<ArrivalSpec>& arrivals_;
  std::vector<ArrivalTimes> times_;  // parallel to arrivals_
  std::vector<uint64_t> pods_left_;  // parallel to arrivals_
};

}  // namespace berth::loadgen
