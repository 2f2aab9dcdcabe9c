#pragma once

// What workloads of kube-scheduler's benchmark need and the engine does not have. Internal to their
// import.

#include <string>
#include <vector>

#include "loadgen/scheduler_perf/scheduler_perf_plan.h"

namespace berth::loadgen::scheduler_perf {

// Feature gates, operations and settings.
std::vector<std::string> missing_settings(const TestCase& test, const PerfWorkload& workload);

// What only shows in the objects: volumes, preemption, pods that have to be tried again. Throws
// Error for objects that are malformed.
std::vector<std::string> missing_in(const Plan& plan);

// Whether a pod, as far as the node alone says, could run on it when it is empty.
bool fits_empty_node(const model::PodSpec& pod, const model::Node& node);

}  // namespace berth::loadgen::scheduler_perf
