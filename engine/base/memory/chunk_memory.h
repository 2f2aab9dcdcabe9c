#pragma once

// Memory for tables that grow by chunks and give none back before they end: the pods, what the
// queue keeps of them, their names.
//
// Such a table needs new pages for every few pods. So a table that has grown beyond kLittle has
// large ones of its own (mapping.h). A smaller one shares those of the allocator.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "engine/base/memory/mapping.h"
#include "engine/base/sanitized.h"

namespace berth {

// Not thread-safe.
class ChunkMemory {
 public:
  ChunkMemory() = default;
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;

  static constexpr size_t kAlignment = 64;
  static constexpr size_t kLittle = size_t{1} << 20;  // bytes

  // Returns `bytes` zero bytes, aligned to 64. They live as long as this object. Throws
  // std::bad_alloc.
  void* allocate(size_t bytes);
  // So many rows that are T(), for as long as this object lives. No destructor runs.
  template <typename T>
  T* make_rows(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    auto* rows = static_cast<T*>(allocate(count * sizeof(T)));
    std::uninitialized_value_construct_n(rows, count);
    return rows;
  }

 private:
  struct Delete {
    void operator()(std::byte* memory) const {
      ::operator delete (memory, std::align_val_t{kAlignment});
    }
  };

  std::byte* take(size_t bytes);

  std::vector<std::unique_ptr<std::byte, Delete>> little_;
  std::vector<Mapping> large_;
  size_t given_ = 0;  // bytes
  std::byte* next_ = nullptr;
  size_t left_ = 0;  // bytes from next_ on
};

// Rows that never move, in chunks of 2^kBits.
template <typename T, uint32_t kBits>
class ChunkedRows {
 public:
  static constexpr uint32_t kRowsOfChunk = 1u << kBits;

  // Precondition: index < size().
  T& operator[](uint32_t index) { return chunks_[index >> kBits][index & (kRowsOfChunk - 1)]; }
  const T& operator[](uint32_t index) const {
    return chunks_[index >> kBits][index & (kRowsOfChunk - 1)];
  }
  // Adds a chunk of rows that are T().
  void grow() { chunks_.push_back(memory_.make_rows<T>(kRowsOfChunk)); }
  size_t size() const { return chunks_.size() * kRowsOfChunk; }

 private:
  ChunkMemory memory_;
  std::vector<T*> chunks_;
};

}  // namespace berth
