#pragma once

// Lists of workloads in words, for the commands that print them.

#include <vector>

#include "engine/output/format_option.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// The formats of a list of workloads, for output::add_format.
std::vector<output::FormatOption::Choice> list_choices();

// The list in each of these formats. The workloads must outlive the result.
output::Forms list_forms(const std::vector<Workload>& workloads);

}  // namespace berth::loadgen
