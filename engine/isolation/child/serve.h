#pragma once

// Serves the calls of one lane in a plugin's own process.

#include <cstddef>
#include <memory>

#include "engine/host/loading/library.h"

namespace berth::isolation {

// Serves the lane that begins at `lane` for the life of the process, on the calling thread.
[[noreturn]] void serve(const host::Library& library, std::byte* lane, uint32_t number);

}  // namespace berth::isolation
