#pragma once

// The openb trace as workloads, one for each list of pods: "openb/default".
// loadgen/import/imports.md says what its GPU shares become.

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// Whether a path is a folder with such a trace, or one of its lists of pods.
bool is_openb(const std::string& path);

// Nodes are taken from the lists beside those of the pods. What is wrong in a list is reported with
// its place and left out; so is a list of which no row can be used. Without any list of nodes there
// is no workload. Throws Error if a file or the folder cannot be read.
std::vector<Workload> import_openb(const std::string& path, Diagnostics& diagnostics);

}  // namespace berth::loadgen
