#pragma once

// The runs of a sweep: the grid over one load, checked before anything is measured.

#include <string>
#include <vector>

#include "bench/macro/run/planned_run.h"
#include "bench/macro/sweep/grid.h"
#include "bench/macro/sweep/sweep_document.h"

namespace berth::bench {

// The runs of the combinations, in their order. The workload outlives them. Throws UsageError for
// settings that the load or the configuration do not have.
std::vector<PlannedRun> planned_runs(const loadgen::Workload& workload, const Variant& base,
                                     const SettingsGrid& grid,
                                     const std::vector<uint64_t>& combinations);

// Loads the plugins of each configuration of the runs, in a process of its own. Throws Error for
// one that cannot be used, and for a weight of a plugin that scores in no profile. Requires: the
// calling process has one thread.
void check_configurations(const std::vector<PlannedRun>& runs);

// The settings that all runs of a sweep over this load share. Throws Error if a file cannot be
// read.
SharedSettings shared_settings(const loadgen::Workload& workload, const Variant& base,
                               const SettingsGrid& grid);

}  // namespace berth::bench
