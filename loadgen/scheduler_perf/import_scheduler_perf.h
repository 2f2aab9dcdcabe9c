#pragma once

// The definitions of kube-scheduler's own benchmark (kubernetes test/integration/scheduler_perf) as
// workloads, named TESTCASE/WORKLOAD. loadgen/import/imports.md says what is taken, what is refused
// and how time passes.

#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {

// Whether a document is such a definition: a list with a workloadTemplate.
bool is_scheduler_perf(const document::Document& document);

// All workloads of a definition that was read from `path`, in their order; `read` gives the text of
// a file and throws Error if there is none. Those that need what the engine does not have are
// among them, with what is missing. What is malformed is reported and left out. One thread at a
// time may open the workloads of one definition.
std::vector<Workload> import_scheduler_perf(
    const document::Document& document, const std::string& path,
    const std::function<std::string(const std::string&)>& read, Diagnostics& diagnostics);

// The same with templates from the file system.
std::vector<Workload> import_scheduler_perf(const document::Document& document,
                                            const std::string& path, Diagnostics& diagnostics);

}  // namespace berth::loadgen
