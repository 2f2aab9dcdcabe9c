#pragma once

// Imports a cluster dump as printed by kubectl as a workload, optionally with several copies. See
// loadgen/import/imports.md.

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// True if the document holds Kubernetes objects of a cluster, or Lists of them.
bool is_cluster(const document::Document& document);

// One workload, named after the file. Invalid objects are reported and left out. A file without
// nodes is reported and gives no workload.
std::vector<Workload> import_cluster(const document::Document& document, const std::string& path,
                                     Diagnostics& diagnostics);

}  // namespace berth::loadgen
