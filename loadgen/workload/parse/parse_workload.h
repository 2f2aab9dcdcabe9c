#pragma once

// Reads workload files: YAML or JSON with `kind: Workload`. README.md describes the format,
// workload.schema.json its shape.

#include <map>
#include <optional>
#include <string>

#include "engine/document/document.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

inline constexpr char kWorkloadApiVersion[] = "berth/v1";
inline constexpr char kWorkloadKind[] = "Workload";

// Limits for parsing a workload file; a duplicate key is an error.
document::Limits workload_limits();

// True if `kind` is Workload.
bool is_workload(document::Value root);

// The parameters that the workload declares, with their default values. Invalid ones are reported
// and left out.
std::map<std::string, std::string> workload_parameters(document::Value root,
                                                       Diagnostics& diagnostics);

// Parses and checks a workload. `parameters` is the result of workload_parameters(), possibly with
// other values. Returns nullopt if anything was reported.
std::optional<WorkloadSpec> parse_workload(document::Value root,
                                           const std::map<std::string, std::string>& parameters,
                                           Diagnostics& diagnostics);

}  // namespace berth::loadgen
