#pragma once

// Reads the results of a recorded run, as `berth run --results` writes them.

#include <string>
#include <vector>

#include "cli/diff/difference.h"
#include "engine/output/pod_result.h"

namespace berth::cli {

// True if the file begins with a line of results, rather than with a cluster or a stream. False for
// standard input, sockets, folders, and files that cannot be read.
bool holds_results(const std::string& path);

// The results of pods; lines about evictions and drains are passed over. Throws Error for a file
// that cannot be read, and for one with a line that is no result.
std::vector<output::PodResult> read_results(const std::string& path);

// Compares what two recorded runs tell. Each list is in the order in which its pods arrived.
Difference compare_lists(PerSide<std::vector<output::PodResult>> lists);
// Compares two such files. Throws as read_results().
Difference compare_recorded(const PerSide<std::string>& files);

}  // namespace berth::cli
