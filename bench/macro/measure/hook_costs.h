#pragma once

// What calls of plugins took while it was measured.

#include <vector>

#include "bench/macro/measure/measurement.h"
#include "engine/cli/session.h"

namespace berth::bench {

class HookCosts {
 public:
  explicit HookCosts(cli::Session& session) : session_(session) {}

  // What is called between the two counts. May be repeated; costs add up.
  void begin();
  void end();

  // Hooks that were called, in the order in which they were set up.
  std::vector<HookCost> of(uint64_t decisions) const;

 private:
  std::vector<host::HookCounts> now() const;

  cli::Session& session_;
  std::vector<host::HookCounts> before_;
  std::vector<host::HookCounts> counted_;  // by hook
};

}  // namespace berth::bench
