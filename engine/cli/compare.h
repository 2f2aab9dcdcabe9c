#pragma once

// Compares an answer with what was recorded, in the way that a conformance case is to be read:
// reasons are sets, a message is a multiset of counted parts, and what only preemption adds is left
// out.

#include <string>
#include <vector>

#include "engine/document/document.h"

namespace berth::cli {

// The differences, one sentence each, at most `most`; empty: they agree.
std::vector<std::string> differences(document::Value expected, document::Value answer,
                                     size_t most = 8);

}  // namespace berth::cli
