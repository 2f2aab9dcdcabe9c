#pragma once

// Memory that comes from the kernel and not from the allocator: zeros that take no page before they
// are written. An allocator may write them.

#include <cstddef>
#include <memory>

namespace berth {

// Ends a mapping.
struct Unmap {
  void* base = nullptr;
  size_t size = 0;
  void operator()(std::byte* memory) const;
};
using Mapping = std::unique_ptr<std::byte, Unmap>;

// Returns `size` zero bytes, aligned to 64. `size`: not 0. Throws std::bad_alloc. Any thread. With
// sanitizers, which look for pointers in memory of the allocator alone, it is the allocator's.
Mapping map_zeros(size_t size);

}  // namespace berth
