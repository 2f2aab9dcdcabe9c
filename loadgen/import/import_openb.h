#pragma once

// Imports the openb trace: one workload per pod list, such as "openb/default".
// loadgen/import/imports.md explains how GPU shares are mapped.

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// True if `path` is a folder that holds such a trace, or one of its pod lists.
bool is_openb(const std::string& path);

// Node lists are read from the folder of the pod lists. Invalid rows are reported with their place
// and left out. Throws Error if a file or the folder cannot be read.
std::vector<Workload> import_openb(const std::string& path, Diagnostics& diagnostics);

}  // namespace berth::loadgen
