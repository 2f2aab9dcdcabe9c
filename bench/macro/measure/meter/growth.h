#pragma once

// Counts what grows. Measures the memory that the first nodes take. Sums up CPU time, memory,
// placed pods and backoffs over the measured stretches. One thread, that of the core.

#include <cstdint>
#include <optional>

#include "bench/macro/measure/figures/measurement.h"
#include "bench/macro/run/process_usage.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class Growth {
 public:
  // The core outlives it.
  explicit Growth(const runtime::Core& core) : core_(core) {}

  // Call nodes_come() before the first node is added to the model, and nodes_came() after nodes
  // were added, both before the first stretch.
  void nodes_come();
  void nodes_came();
  // Begin and end a stretch, in turn. Stretches add up.
  void begin() { begun_ = now(); }
  void end();
  // The figures so far.
  void give(Measurement& measurement) const;

 private:
  struct Values {
    CpuSeconds cpu;
    int64_t bytes = 0, pods = 0;  // resident; placed
    uint64_t backoffs = 0;        // pods that entered backoff
  };
  Values now() const;

  const runtime::Core& core_;
  std::optional<int64_t> bytes_before_nodes_;  // nothing: no nodes were added
  std::optional<double> bytes_per_node_;
  Values begun_;  // when the last stretch began
  Values grown_;  // over all stretches that ended
};

}  // namespace berth::bench
