#pragma once

// Counts the cycles and allocations of decisions, without those of the bindings in between. One
// thread, that of the core.

#include <cstdint>

#include "bench/macro/measure/figures/measurement.h"
#include "engine/base/cycle_clock.h"

namespace berth::bench {

class DecisionCounters {
 public:
  // Number of allocations of the calling thread so far; null: they are not counted.
  using Allocations = uint64_t (*)();
  explicit DecisionCounters(Allocations allocations) : allocations_so_far_(allocations) {}

  // Call begin() last before a decision, and end() first after it, which returns its cycles.
  void begin() {
    bound_meanwhile_ = {};
    begun_ = now();
  }
  uint64_t end() {
    const Counters passed = now() - begun_ - bound_meanwhile_;
    allocations_ += passed.allocations;
    return passed.cycles;
  }
  // A batch of bindings begins and ends. The decision under way, if there is one, goes on after it.
  void binding_begins() { binding_begun_ = now(); }
  void binding_ends() { bound_meanwhile_ += now() - binding_begun_; }

  // Precondition: measurement.decisions is set.
  void give(Measurement& m) const {
    m.decision.unit = m.first_decision.unit = m.steady_decision.unit = rate_.seconds();
    if (allocations_so_far_ != nullptr && m.decisions != 0)
      m.allocations_per_decision =
          static_cast<double>(allocations_) / static_cast<double>(m.decisions);
  }

 private:
  struct Counters {
    uint64_t allocations = 0, cycles = 0;
    Counters operator-(const Counters& other) const {
      return {allocations - other.allocations, cycles - other.cycles};
    }
    void operator+=(const Counters& other) {
      allocations += other.allocations;
      cycles += other.cycles;
    }
  };
  Counters now() const {
    return {allocations_so_far_ != nullptr ? allocations_so_far_() : 0, cycles()};
  }

  const Allocations allocations_so_far_;
  CycleRate rate_;
  Counters begun_, binding_begun_;
  Counters bound_meanwhile_;  // since begin()
  uint64_t allocations_ = 0;  // of all decisions
};

}  // namespace berth::bench
