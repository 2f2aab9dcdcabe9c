#pragma once

// Counts allocations. Linking counting_allocator.cc replaces malloc of the whole program, including
// plugins and libraries, by glibc's malloc plus a count. Do not combine it with a sanitizer or with
// mimalloc, which replace malloc too.

#include <cstdint>

namespace berth::bench {

// The number of allocating calls (malloc, calloc, realloc and the like) by this thread so far.
uint64_t allocations_of_this_thread();

}  // namespace berth::bench
