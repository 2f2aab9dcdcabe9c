#include "engine/base/memory/chunk_memory.h"

#include <algorithm>
#include <utility>

namespace berth {
namespace {

constexpr size_t kPage = 4096;

size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

void* ChunkMemory::allocate(size_t bytes) {
  bytes = round_up(std::max<size_t>(bytes, 1), kAlignment);
  if (bytes > left_) {
    const bool large_pages = !kSanitized && given_ >= kLittle;
    const size_t size = round_up(bytes, large_pages ? kLargePage : kPage);
    regions_.push_back(map_zeros(size, large_pages ? Pages::kLarge : Pages::kSmall));
    next_ = regions_.back().get();
    left_ = size;
  }
  given_ += bytes;
  left_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

}  // namespace berth
