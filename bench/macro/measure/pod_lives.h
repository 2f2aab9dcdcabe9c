#pragma once

// Follows each pod of the measured part through its attempts: how its last one ended, how many it
// needed, and how long it waited until it was bound. One thread, that of the core.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/macro/measure/figures/measurement.h"
#include "engine/base/histogram.h"
#include "engine/base/memory/chunk_memory.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class PodLives {
 public:
  // The core outlives it.
  explicit PodLives(const runtime::Core& core) : core_(core) {}

  // Pods arrive now. Call it for all pods, also while nothing is measured: rows of the pod table
  // are used again.
  void come(std::span<const model::PodId> pods);
  // Records how a pod's scheduling cycle or binding ended. This and the following only of the
  // measured part.
  void ends(model::PodId pod, runtime::PodOutcome outcome);
  // The same, and counts an attempt.
  void try_ends(model::PodId pod, runtime::PodOutcome outcome);
  // A pod was bound, nominated by PostFilter, or evicted.
  void bound(model::PodId pod);
  void preempted() { ++preemptions_; }
  void evicted() { ++victims_; }
  // The figures so far; series is left as it is.
  void give(Measurement& measurement) const;

  uint64_t bound() const { return bound_; }
  uint64_t preemptions() const { return preemptions_; }
  uint64_t victims() const { return victims_; }

 private:
  static constexpr size_t kMostAttempts = 32;

  struct Life {
    int64_t arrived = kUnknown;  // nanoseconds on the core's clock
    uint32_t attempts = 0;       // in the measured part
    std::optional<runtime::PodOutcome> outcome;
  };
  static constexpr int64_t kUnknown = -1;

  Life& life(model::PodId pod);
  void ends(Life& of, runtime::PodOutcome outcome);

  const runtime::Core& core_;
  ChunkedRows<Life, 12> lives_;       // by index of the pod
  std::array<uint64_t, 5> counts_{};  // pods by PodOutcome
  std::vector<uint64_t> attempts_of_bound_;
  Histogram waits_;
  uint64_t bound_ = 0, preemptions_ = 0, victims_ = 0;
};

}  // namespace berth::bench
