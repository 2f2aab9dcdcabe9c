#pragma once

// Answers a conformance case: what this scheduler does with the case's cluster and pods, in the
// format in which kube-scheduler's own answers were recorded.

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/host/calls/checks/watchdog.h"
#include "engine/runtime/assembly.h"

namespace berth::conformance {

// The way in which cases are answered. The answers do not depend on it.
struct Method {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  // Threads that help the caller's; they outlive the call. With several, rows are split over them
  // from 64 rows on, because cases are small. Null: the caller works alone.
  framework::Workers* workers = nullptr;
  host::WatchdogOptions deadlines = {};  // of calls to plugins
};

// The answer as one JSON object: `expect`; or `steps` or `history`, and `nodeOrder`. Throws Error
// if the document is not a case, or needs a feature that is not built; config::MissingPlugins if
// its configuration enables plugins that are not available.
std::string answer_case(const document::Document& document, document::Value root,
                        runtime::Plugins& plugins, const Method& method);

}  // namespace berth::conformance
