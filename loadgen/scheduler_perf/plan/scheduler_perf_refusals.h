#pragma once

// Determines which features a workload of kube-scheduler's benchmark needs that the engine lacks.
// Internal to the import.

#include <map>
#include <string>
#include <vector>

#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"

namespace berth::loadgen::scheduler_perf {

// The feature gates by which Berth with its default ones would decide otherwise.
std::map<std::string, bool> gates_to_set(const PerfWorkload& workload);
// Missing feature gates, operations and settings, in words.
std::vector<std::string> missing_settings(const TestCase& test, const PerfWorkload& workload);

// Missing features that only the objects reveal, such as resource claims of pods. Throws Error for
// malformed objects.
std::vector<std::string> missing_in(const Plan& plan);

// True if a pod with these requests could run on the node when it is empty, considering only the
// node itself.
bool fits_empty_node(const model::ResourceList& requests, const model::Node& node);

}  // namespace berth::loadgen::scheduler_perf
