#pragma once

// Imports kube-scheduler's own benchmark (kubernetes test/integration/scheduler_perf) as workloads
// named TESTCASE/WORKLOAD. loadgen/import/imports.md says what is supported, what is refused, and
// how planned time is derived.

#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// True if the document is a definition of that benchmark: a list with a workloadTemplate.
bool is_scheduler_perf(const document::Document& document);

// All workloads of the definition that was read from `path`, in file order. `read` returns the text
// of a file and throws Error if it does not exist.
//
// A workload that needs a feature the engine lacks is returned with `missing` set. Malformed parts
// are reported and left out. The workloads of one definition share a cache of templates, so only
// one thread at a time may open them.
std::vector<Workload> import_scheduler_perf(
    const document::Document& document, const std::string& path,
    const std::function<std::string(const std::string&)>& read, Diagnostics& diagnostics);

// The same, with templates read from the file system.
std::vector<Workload> import_scheduler_perf(const document::Document& document,
                                            const std::string& path, Diagnostics& diagnostics);

}  // namespace berth::loadgen
