#pragma once

// The pods that end by themselves, by the tick in which they do. Pods of one tick end in the order
// in which they were added.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "loadgen/generate/pods/pod_identity.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One thread.
class Endings {
 public:
  // The earliest tick in which a pod ends; kNever without pods.
  int64_t next() const { return ticks_.empty() ? kNever : ticks_.front(); }
  // Requires: tick < kNever, and no earlier than a tick of which only a part has been taken.
  void add(int64_t tick, const PodIdentity& pod);
  // Removes the pod that ends first. Requires: next() < kNever.
  PodIdentity take();

 private:
  boost::unordered_flat_map<int64_t, std::vector<PodIdentity>> pods_;  // by tick, never empty ones
  std::vector<int64_t> ticks_;  // the keys of pods_, as a heap with the earliest on top
  size_t taken_ = 0;            // of the earliest tick; fewer than it has
};

}  // namespace berth::loadgen
