#pragma once

// Which workloads are meant: names and files of the command line, and a pattern.

#include <string>
#include <vector>

#include "loadgen/workload/workload.h"

namespace berth::bench {

// Workloads of the names and files, in their order, whose names fit the pattern (empty: all). What
// is wrong in the files is said on stderr. Throws Error if there is none left, or a file is none.
std::vector<loadgen::Workload> select_workloads(const std::vector<std::string>& names,
                                                const std::string& pattern);

}  // namespace berth::bench
