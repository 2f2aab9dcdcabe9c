#pragma once

// Compares an answer with a recorded one by the rules of conformance cases: reasons are sets, a
// message is a multiset of counted parts, one of the recorded outcomes of preemption must come, all
// else is equal or not.

#include <set>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace berth::conformance {

struct Comparison {
  std::vector<std::string> differences;  // one sentence each; empty: what was compared agrees
  // Keys that were recorded and that nothing compares, such as "boundBy": answers have no such
  // keys yet. Where there are any, the agreement is one in part.
  std::set<std::string> not_compared;
};

// `expected` is the whole case, `answer` what `berth evaluate` prints for it. At most `most`
// differences are listed.
Comparison compare(document::Value expected, document::Value answer, size_t most = 8);

}  // namespace berth::conformance
