// For builds with a sanitizer, which has its own allocator.

#include "bench/macro/run/allocations.h"

namespace berth::bench {

AllocationCounter allocation_counter() { return nullptr; }

}  // namespace berth::bench
