#pragma once

#include <cstdint>

namespace berth::bench {

// Returns the number of allocating calls by this thread so far. allocation_counter() returns null
// if this program does not count allocations.
using AllocationCounter = uint64_t (*)();
AllocationCounter allocation_counter();

}  // namespace berth::bench
