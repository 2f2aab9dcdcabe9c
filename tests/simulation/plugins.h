#pragma once

#include "engine/runtime/assembly.h"

namespace berth::simulation {

// The plugins that ship, and Chaos, discovered once.
runtime::Plugins& plugins();

}  // namespace berth::simulation
