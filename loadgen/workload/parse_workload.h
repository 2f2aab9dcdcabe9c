#pragma once

// Workload files: YAML or JSON with `kind: Workload`. README.md describes the format,
// workload.schema.json its shape.

#include <map>
#include <optional>
#include <string>

#include "engine/document/document.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

inline constexpr char kWorkloadApiVersion[] = "berth/v1";
inline constexpr char kWorkloadKind[] = "Workload";

// A key that stands twice is a mistake.
document::Limits workload_limits();

bool is_workload(document::Value root);

// The parameters that it has, with their values. What is wrong with them is reported.
std::map<std::string, std::string> workload_parameters(document::Value root,
                                                       Diagnostics& diagnostics);

// Nothing if something is wrong, which was reported. `parameters` are those of above, maybe with
// other values.
std::optional<WorkloadSpec> parse_workload(document::Value root,
                                           const std::map<std::string, std::string>& parameters,
                                           Diagnostics& diagnostics);

}  // namespace berth::loadgen
