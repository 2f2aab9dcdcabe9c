#pragma once

// A cluster as kubectl prints it, as a workload, multiplied if asked for. loadgen/import/imports.md
// says what the copies look like.

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// Whether a document holds Kubernetes objects that are part of a cluster, or lists of them.
bool is_cluster(const document::Document& document);

// One workload, named after the file. Objects with something wrong are reported and left out; so is
// a file that has no node.
std::vector<Workload> import_cluster(const document::Document& document, const std::string& path,
                                     Diagnostics& diagnostics);

}  // namespace berth::loadgen
