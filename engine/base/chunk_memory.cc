#include "engine/base/chunk_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/sanitized.h"

namespace berth {
namespace {

constexpr size_t kPage = 4096, kLargePage = size_t{1} << 21;

size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

// Sanitizers look for pointers in memory of the allocator alone.
#ifdef BERTH_SANITIZED

void ChunkMemory::Release::operator()(std::byte* region) const {
  ::operator delete (region, std::align_val_t{kAlignment});
}

ChunkMemory::Region ChunkMemory::make_region(size_t size, bool) {
  auto* region = static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment}));
  std::memset(region, 0, size);
  return {region, Release{size}};
}

#else

void ChunkMemory::Release::operator()(std::byte* region) const { munmap(region, size); }

ChunkMemory::Region ChunkMemory::make_region(size_t size, bool large_pages) {
  // Of a longer mapping, the part that begins where a large page may.
  const size_t longer = large_pages ? size + kLargePage : size;
  void* mapped = mmap(nullptr, longer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(mapped);
  if (!large_pages) return {begin, Release{size}};
  const size_t address = reinterpret_cast<uintptr_t>(begin);
  const size_t before = round_up(address, kLargePage) - address;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + size, kLargePage - before);
  madvise(begin + before, size, MADV_HUGEPAGE);  // a wish
  return {begin + before, Release{size}};
}

#endif

void* ChunkMemory::allocate(size_t bytes) {
  bytes = round_up(std::max<size_t>(bytes, 1), kAlignment);
  if (bytes > left_) {
    const bool large_pages = !kSanitized && given_ >= kLittle;
    const size_t size = round_up(bytes, large_pages ? kLargePage : kPage);
    regions_.push_back(make_region(size, large_pages));
    next_ = regions_.back().get();
    left_ = size;
  }
  given_ += bytes;
  left_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

}  // namespace berth
