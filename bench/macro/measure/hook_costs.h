#pragma once

// What calls of plugins took while it was measured.

#include <vector>

#include "bench/macro/measure/measurement.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class HookCosts {
 public:
  explicit HookCosts(runtime::Core& core) : core_(core) {}

  // What is called between the two counts. May be repeated; costs add up.
  void begin();
  void end();

  // Hooks that were called, in the order in which they were set up.
  std::vector<HookCost> of(uint64_t decisions) const;

 private:
  std::vector<host::HookCounts> now() const;

  runtime::Core& core_;
  std::vector<host::HookCounts> before_;
  std::vector<host::HookCounts> counted_;  // by hook
};

}  // namespace berth::bench
