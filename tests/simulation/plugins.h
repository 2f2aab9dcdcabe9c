#pragma once

#include "engine/runtime/assembly.h"

namespace berth::simulation {

// The plugins that ship, Chaos and the example Coscheduling, discovered once.
runtime::Plugins& plugins();

}  // namespace berth::simulation
