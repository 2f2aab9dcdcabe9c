#pragma once

#include <cstdint>

namespace berth::bench {

// Counts calls so far that gave memory to the calling thread; null if this program's allocator is
// not counted.
using AllocationCounter = uint64_t (*)();
AllocationCounter allocation_counter();

}  // namespace berth::bench
