#pragma once

// The tables of an isolated plugin as the engine gets them.

#include "berth/abi/hook.h"
#include "engine/base/points.h"

namespace berth::isolation {

// Replaces the functions in the copy of a plugin's table, and those of its hook, by functions that
// pass calls on to the plugin's process. Members that are null stay null. `skips`: the policy is
// OnFailure::kSkip; then answers that may be skipped are not kept. Throws Error without a place if
// the plugin cannot be skipped.
void replace_functions(Point point, void* table, berth_hook& hook, bool skips);

}  // namespace berth::isolation
