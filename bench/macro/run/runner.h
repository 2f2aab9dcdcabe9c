#pragma once

// Repetitions of runs: each in a process of its own, their figures brought together.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/macro/run/child.h"
#include "bench/macro/run/variant.h"
#include "loadgen/workload/workload.h"

namespace berth::bench {

struct RepeatOptions {
  uint32_t warm_up = 1;                 // repetitions before those that count
  uint32_t repetitions = 5;             // not 0
  std::string trace;                    // a file; empty: none is written
  size_t trace_events = 0;              // at most, of each kind
  uint64_t (*allocations)() = nullptr;  // see PlayOptions
};

// Adds what one run measured: the JSON of a result (bench/README.md), with the samples of all
// repetitions, their medians, and over time what the first repetition did. Costs of plugins come
// from the last warm-up, in which every call is timed, or, without one, from a repetition. If the
// user interrupts, it is of what was done by then and says so; if nothing was, it is empty.
// Throws Error for what is wrong with the workload, the configuration or the plugins, and if
// repetitions that must not differ made different decisions.
void run_workload(const loadgen::Workload& workload, const Variant& variant,
                  const RepeatOptions& options, Returned& results);

}  // namespace berth::bench
