#pragma once

// Field names of Kubernetes objects as Go's encoding/json takes them: in any case. Internal to the
// import of scheduler_perf.

#include <string>

#include "engine/document/document.h"

namespace berth::loadgen::scheduler_perf {

// Rewrites in `text`, which the document was read from, those names of fields that scheduling reads
// and that are written in another case than Kubernetes has them; nothing else moves. Whether there
// was any: the text is then to be parsed again. Throws Error if one cannot be found in the text.
bool correct_field_names(const document::Document& document, std::string& text);

}  // namespace berth::loadgen::scheduler_perf
