#include "engine/base/memory/mapping.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "engine/base/sanitized.h"

namespace berth {

#ifdef BERTH_SANITIZED

void Unmap::operator()(std::byte*) const { std::free(base); }

Mapping map_zeros(size_t size) {
  constexpr size_t kAlignment = 64;
  void* base = std::calloc(size + kAlignment, 1);
  if (base == nullptr) throw std::bad_alloc();
  auto* bytes = static_cast<std::byte*>(base);
  const size_t past = reinterpret_cast<uintptr_t>(base) % kAlignment;
  return {bytes + (kAlignment - past) % kAlignment, Unmap{base, size}};
}

#else

void Unmap::operator()(std::byte*) const { munmap(base, size); }

Mapping map_zeros(size_t size) {
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(base), Unmap{base, size}};
}

#endif

}  // namespace berth
