#pragma once

// Disruption budgets, as an eviction counts them.

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// Takes one of the disruptions that the pod's budget allows, and notes the pod there. No effect on
// pods that run nowhere, or that no budget selects. Throws Problem, with code 429, if none is left.
void take_disruption(Core& core, const Object& pod);

}  // namespace berth::apiserver
