// Counts allocations. The program's malloc and operator new, which plugins and libraries use too,
// count and then call mimalloc. free and operator delete are mimalloc's own.

#include <mimalloc.h>

#include <cerrno>
#include <cstddef>
#include <new>

#include "bench/macro/run/allocations.h"

namespace {

// Initial-exec: the variable is in the program itself, so no call is needed to find it.
__attribute__((tls_model("initial-exec"))) thread_local uint64_t allocations = 0;

uint64_t allocations_of_this_thread() { return allocations; }

}  // namespace

extern "C" {

void* malloc(size_t size) noexcept {
  ++allocations;
  return mi_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept {
  ++allocations;
  return mi_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept {
  ++allocations;
  return mi_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  ++allocations;
  return mi_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  ++allocations;
  return mi_posix_memalign(out, alignment, size);
}

}  // extern "C"

void* operator new(size_t size) {
  ++allocations;
  return mi_new(size);
}
void* operator new[](size_t size) {
  ++allocations;
  return mi_new(size);
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return mi_new_nothrow(size);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return mi_new_nothrow(size);
}
void* operator new(size_t size, std::align_val_t alignment) {
  ++allocations;
  return mi_new_aligned(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  ++allocations;
  return mi_new_aligned(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { mi_free(memory); }
void operator delete[](void* memory) noexcept { mi_free(memory); }
void operator delete(void* memory, size_t) noexcept { mi_free(memory); }
void operator delete[](void* memory, size_t) noexcept { mi_free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { mi_free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { mi_free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { mi_free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { mi_free(memory); }

namespace berth::bench {

AllocationCounter allocation_counter() { return allocations_of_this_thread; }

}  // namespace berth::bench
