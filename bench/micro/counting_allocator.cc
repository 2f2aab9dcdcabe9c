#include "bench/micro/counting_allocator.h"

#include <cerrno>
#include <cstddef>

namespace {

// Initial-exec: the variable is in the program itself, so no call is needed to find it.
__attribute__((tls_model("initial-exec"))) thread_local uint64_t allocations = 0;

}  // namespace

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept {
  ++allocations;
  return __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  void* memory = memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}

}  // extern "C"

namespace berth::bench {

uint64_t allocations_of_this_thread() { return allocations; }

}  // namespace berth::bench
