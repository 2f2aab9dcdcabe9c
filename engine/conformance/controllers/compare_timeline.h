#pragma once

// Compares the entries of a timeline. The order of entries of one instant means nothing, but for
// answers to requests and for pods that one node evicts.

#include <string>
#include <vector>

#include "engine/document/document.h"

namespace berth::conformance {

// `expected` and `answer` are cases with `expect`. At most `most` differences, one sentence each;
// empty: they agree.
std::vector<std::string> compare_timelines(document::Value expected, document::Value answer,
                                           size_t most);

}  // namespace berth::conformance
