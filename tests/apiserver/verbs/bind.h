#pragma once

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// The binding of a pod to a node, of which nothing is checked: POST pods/NAME/binding, or bindings
// with the name in the body. Throws Problem, and then nothing was written.
Answer bind_pod(Call& call);

}  // namespace berth::apiserver
