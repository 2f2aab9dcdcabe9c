#pragma once

// Repeats a run, each repetition in its own process, and merges the figures.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/macro/run/child.h"
#include "bench/macro/run/variant.h"
#include "loadgen/workload/workload.h"

namespace berth::bench {

struct RepeatOptions {
  uint32_t warm_up = 1;                 // repetitions that do not count
  uint32_t repetitions = 5;             // repetitions that count; at least 1
  std::string trace;                    // file for the trace; empty: none
  size_t trace_events = 0;              // limit for each kind of event
  uint64_t (*allocations)() = nullptr;  // see PlayOptions
  // The results have no time series, cells of nodes, histograms and costs of hooks, so that there
  // can be many.
  bool figures_only = false;
  bool notices = true;   // says what is not done as configured
  std::string position;  // the beginning of the progress line: "3 of 12: "; may be empty
};

// Runs the repetitions of one run and appends its result to `results`: JSON as described in
// bench/figures.md, with the samples of all repetitions, their medians, and the time series of the
// first repetition. Hook costs come from the last warm-up, in which every call is timed, or from a
// repetition if there is no warm-up.
//
// If the user interrupts the run, the result covers the work done so far and is marked as
// interrupted; it is an empty text if there is none. Throws Error for faults of the workload, the
// configuration or the plugins, and if repetitions made different decisions although they must not.
void run_workload(const loadgen::Workload& workload, const Variant& variant,
                  const RepeatOptions& options, Returned& results);

}  // namespace berth::bench
