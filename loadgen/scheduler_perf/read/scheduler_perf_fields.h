#pragma once

// Field names that differ in case. Go's encoding/json ignores case in field names; the decoders
// here do not. Internal to the import of scheduler_perf.

#include <string>

#include "engine/document/document.h"

namespace berth::loadgen::scheduler_perf {

// Corrects, in `text`, the case of field names that scheduling reads. A name and its correction
// have the same length, so all places stay valid. Returns true if `text` changed; the caller then
// parses it again. `document` must have been parsed from `text`. Throws Error if a name is not
// found in the text.
bool correct_field_names(const document::Document& document, std::string& text);

}  // namespace berth::loadgen::scheduler_perf
