#pragma once

#include <string>

#include "tests/apiserver/api/faults.h"

namespace berth::apiserver {

// A rule as text: an action and what it needs.
//
//   429,method=POST,path=*/binding,share=0.5       half of all bindings
//   cut-after,path=*/binding,share=0.1             a tenth of the answers is lost
//   cut-answer,watch=true,bytes=1000
//   delay,milliseconds=20    500    500-after    409    cut-before    compact,count=1
//
// Throws Error.
FaultRule fault_rule(const std::string& text);

}  // namespace berth::apiserver
