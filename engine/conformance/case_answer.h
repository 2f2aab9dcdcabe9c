#pragma once

// Answers a conformance case: what this scheduler does with the case's cluster and pods, in the
// format in which kube-scheduler's own answers were recorded.

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/runtime/assembly.h"

namespace berth::conformance {

struct CaseAnswer {
  std::string json;  // one object: `expect`; or `steps` or `history`, and `nodeOrder`
  std::vector<std::string> missing_plugins;  // default plugins that were left out
};

// Throws Error if the document is not a case, or needs a feature that is not built;
// config::MissingPlugins if its configuration enables plugins that are not available.
CaseAnswer answer_case(const document::Document& document, document::Value root,
                       runtime::Plugins& plugins, framework::Evaluation evaluation);

}  // namespace berth::conformance
