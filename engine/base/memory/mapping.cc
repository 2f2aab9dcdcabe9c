#include "engine/base/memory/mapping.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace berth {
namespace {

size_t up_to(size_t to, const void* memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  return (address + to - 1) / to * to - address;
}

}  // namespace

#ifdef BERTH_SANITIZED

void Unmap::operator()(std::byte*) const { std::free(base); }

Mapping map_zeros(size_t size, Pages) {
  constexpr size_t kAlignment = 64;
  void* base = std::calloc(size + kAlignment, 1);
  if (base == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(base) + up_to(kAlignment, base), Unmap{base, size}};
}

#else

void Unmap::operator()(std::byte*) const { munmap(base, size); }

Mapping map_zeros(size_t size, Pages pages) {
  // Of a longer mapping, the part that begins where a large page may.
  const size_t more = pages == Pages::kLarge ? kLargePage : 0;
  void* mapped =
      mmap(nullptr, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(mapped);
  if (more == 0) return {begin, Unmap{begin, size}};
  const size_t before = up_to(kLargePage, begin);
  if (before != 0) munmap(begin, before);
  munmap(begin + before + size, kLargePage - before);
  begin += before;
  madvise(begin, size, MADV_HUGEPAGE);  // a wish
  return {begin, Unmap{begin, size}};
}

#endif

}  // namespace berth
