#pragma once

// Counts what is allocated: linking counting_allocator.cc replaces malloc of the whole program,
// plugins and libraries included, by glibc's with a count. Not for programs with a sanitizer or
// with mimalloc, which replace it too.

#include <cstdint>

namespace berth::bench {

// Calls that gave memory out to the calling thread so far.
uint64_t allocations_of_this_thread();

}  // namespace berth::bench
