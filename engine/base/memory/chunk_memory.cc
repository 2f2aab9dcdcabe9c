#include "engine/base/memory/chunk_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace berth {
namespace {

size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

void* ChunkMemory::allocate(size_t bytes) {
  bytes = round_up(std::max<size_t>(bytes, 1), kAlignment);
  if (bytes > left_) next_ = take(bytes);
  given_ += bytes;
  left_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

// Returns memory of left_ >= bytes.
std::byte* ChunkMemory::take(size_t bytes) {
  if (!kSanitized && given_ >= kLittle) {
    left_ = round_up(bytes, kLargePage);
    return large_.emplace_back(map_zeros(left_, Pages::kLarge)).get();
  }
  left_ = bytes;
  auto* memory = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}));
  little_.emplace_back(memory);
  return static_cast<std::byte*>(std::memset(memory, 0, bytes));
}

}  // namespace berth
