#pragma once

// Sums up the time that plugin calls take while the run is measured.

#include <vector>

#include "bench/macro/measure/figures/measurement.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class HookCosts {
 public:
  explicit HookCosts(runtime::Core& core) : core_(core) {}

  // Calls between begin() and end() are counted. Both may be called repeatedly; costs add up.
  void begin();
  void end();

  // The hooks that were called, in order of their setup. `decisions` is the divisor for costs per
  // decision.
  std::vector<HookCost> of(uint64_t decisions) const;

 private:
  std::vector<host::HookCounts> now() const;

  runtime::Core& core_;
  std::vector<host::HookCounts> before_;
  std::vector<host::HookCounts> counted_;  // by hook
};

}  // namespace berth::bench
