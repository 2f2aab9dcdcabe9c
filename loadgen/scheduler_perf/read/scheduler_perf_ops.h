#pragma once

// Reads the operations of a workloadTemplate. Internal to the import of scheduler_perf.

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "loadgen/scheduler_perf/read/scheduler_perf_definition.h"

namespace berth::loadgen::scheduler_perf {

// Returns nullopt if anything was reported.
std::optional<Op> read_op(document::Value value, Diagnostics& diagnostics);

// Adds the names of the parameters that the operation uses to `used`.
void used_parameters(const Op& op, std::set<std::string>& used);

}  // namespace berth::loadgen::scheduler_perf
