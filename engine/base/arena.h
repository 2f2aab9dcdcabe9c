#pragma once

// One region of memory from which all columns come, so that it can be shared read-only with another
// process: it may be a memfd. Blocks are powers of two of 64 bytes and more; freed blocks are
// reused. Not safe for several threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth {

class Arena {
 public:
  enum class Backing { kAnonymous, kMemfd };
  static constexpr size_t kAlignment = 64;

  // Reserves address space only; pages come as they are touched. Throws Error if the system
  // refuses.
  explicit Arena(Backing backing = Backing::kAnonymous);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // At least `bytes` (its rounding to a block size is `block_size(bytes)`), 64-byte aligned,
  // all zero. Memory that was never handed out before takes no pages until it is written. Throws
  // Error when the region is exhausted.
  void* allocate(size_t bytes);
  void release(void* block, size_t bytes);  // with the size that was asked for

  static size_t block_size(size_t bytes);

  int descriptor() const { return descriptor_; }  // of the memfd; -1: anonymous
  size_t used() const { return used_; }           // bytes from the start that were ever handed out

 private:
  static constexpr size_t kClasses = 48;

  std::byte* region_ = nullptr;
  size_t reserved_ = 0;
  size_t used_ = 0;
  int descriptor_ = -1;
  std::array<std::vector<void*>, kClasses> free_;  // by log2 of the block size
};

}  // namespace berth
