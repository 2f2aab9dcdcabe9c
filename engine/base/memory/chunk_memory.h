#pragma once

// Memory for tables that grow by chunks and give none back before they end: the pods, what the
// queue keeps of them, their names.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace berth {

// Not thread-safe.
class ChunkMemory {
 public:
  ChunkMemory() = default;
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;

  static constexpr std::align_val_t kAlignment{64};  // a cache line

  // So many rows that are T(), aligned to a cache line, for as long as this object lives. No
  // destructor runs. Throws std::bad_alloc.
  template <typename T>
  T* make_rows(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> &&
                  alignof(T) <= static_cast<size_t>(kAlignment));
    chunks_.reserve(chunks_.size() + 1);
    auto* rows = static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
    chunks_.emplace_back(rows);
    std::uninitialized_value_construct_n(rows, count);
    return rows;
  }

 private:
  struct Delete {
    void operator()(void* chunk) const { ::operator delete(chunk, kAlignment); }
  };
  std::vector<std::unique_ptr<void, Delete>> chunks_;
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
