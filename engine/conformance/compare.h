#pragma once

// Compares an answer with a recorded one by the rules of conformance cases: reasons are compared as
// sets, the parts "COUNT REASON" of a message as a multiset, all other values exactly.

#include <set>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace berth::conformance {

struct Comparison {
  std::vector<std::string> differences;  // one sentence each; empty: all compared values agree
  // Recorded keys that are not compared, such as "preemption", because answers do not have them
  // yet. If there are any, the case is confirmed only in part.
  std::set<std::string> not_compared;
};

// `expected` is the whole case, `answer` what `berth evaluate` prints for it. At most `most`
// differences are listed.
Comparison compare(document::Value expected, document::Value answer, size_t most = 8);

}  // namespace berth::conformance
