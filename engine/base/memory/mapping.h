#pragma once

// Memory that comes from the kernel and not from the allocator: for what is large and lives long.
//
// The kernel takes about a microsecond for a page of 4 KiB that is new, as long as a decision. A
// page of 2 MiB takes a tenth of that for the same bytes. Where the system has none, it gives small
// ones. Memory that is asked for as zeros takes no page before it is written, where an allocator
// may write the zeros.

#include <cstddef>
#include <memory>
#include <new>

#include "engine/base/sanitized.h"

namespace berth {

// Ends a mapping.
struct Unmap {
  void* base = nullptr;
  size_t size = 0;
  void operator()(std::byte* memory) const;
};
using Mapping = std::unique_ptr<std::byte, Unmap>;

enum class Pages { kSmall, kLarge };
inline constexpr size_t kLargePage = size_t{1} << 21;  // bytes

// Returns `size` zero bytes, aligned to 64, and of kLarge to a large page. `size`: not 0, of kLarge
// a multiple of kLargePage. Throws std::bad_alloc. Any thread. With sanitizers, which look for
// pointers in memory of the allocator alone, it is the allocator's, aligned to 64.
Mapping map_zeros(size_t size, Pages pages);

// For containers that grow by new arrays: those of kFrom bytes or more are of large pages.
template <typename T>
struct LargePages {
  using value_type = T;
  static constexpr size_t kFrom = size_t{1} << 20;

  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) {
    if (!mapped(count)) return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
    return reinterpret_cast<T*>(map_zeros(mapped_size(count), Pages::kLarge).release());
  }
  void deallocate(T* memory, size_t count) {
    if (!mapped(count)) return ::operator delete(memory, kAlignment);
    Unmap{memory, mapped_size(count)}(reinterpret_cast<std::byte*>(memory));
  }
  bool operator==(const LargePages&) const = default;

 private:
  static constexpr std::align_val_t kAlignment{alignof(T)};
  static constexpr bool mapped(size_t count) { return !kSanitized && count * sizeof(T) >= kFrom; }
  static constexpr size_t mapped_size(size_t count) {
    return (count * sizeof(T) + kLargePage - 1) / kLargePage * kLargePage;
  }
};

}  // namespace berth
