#pragma once

// Selects workloads by the names, files and pattern of the command line.

#include <string>
#include <vector>

#include "loadgen/workload/workload.h"

namespace berth::bench {

// Returns the workloads of all names and files, in order, whose names match the pattern (empty:
// all). Faults of files are printed on stderr. Throws UsageError if the pattern fits no workload,
// Error if a file holds none, and what find_workloads() throws.
std::vector<loadgen::Workload> select_workloads(const std::vector<std::string>& names,
                                                const std::string& pattern);

}  // namespace berth::bench
