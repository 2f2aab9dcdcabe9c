// For builds whose sanitizer brings an allocator of its own.

#include "bench/macro/run/allocations.h"

namespace berth::bench {

AllocationCounter allocation_counter() { return nullptr; }

}  // namespace berth::bench
