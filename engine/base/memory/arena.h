#pragma once

// The memory of all columns: one contiguous region, optionally a memfd, so that another process can
// map it read-only. Block sizes are powers of two, at least 64 bytes. Released blocks are reused
// for later blocks of the same size; they are never returned to the system or merged. Core dumps
// have what was handed out. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

class Arena {
 public:
  // kGuarded: a memfd that is mapped a second time, read-only, for those that may only read.
  enum class Backing { kAnonymous, kMemfd, kGuarded };
  static constexpr size_t kAlignment = 64;

  // Reserves address space only; the system provides pages when they are first written. Throws
  // Error if the system refuses even the smallest reservation (256 MiB).
  explicit Arena(Backing backing = Backing::kAnonymous);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns a block of block_size(bytes) bytes, aligned to 64, all zero. The block is owned by the
  // caller until release() and dies with the arena. Memory that was never handed out before takes
  // no pages until it is written. Throws Error if the region is exhausted.
  void* allocate(size_t bytes);
  // Requires: `block` came from allocate() of this arena, with the same `bytes`.
  void release(void* block, size_t bytes);

  // The size of the block that allocate(bytes) returns: `bytes` rounded up to a power of two, at
  // least 64.
  static size_t block_size(size_t bytes);

  // The same memory for those that may only read: of a guarded arena a write there is a fault.
  // Requires: `data` points into a block of this arena.
  const std::byte* shown(const std::byte* data) const { return data + to_shown_; }
  // The region that shown() points into, if the arena is guarded; else empty.
  std::span<const std::byte> guarded() const { return {region(), to_shown_ != 0 ? reserved_ : 0}; }

  int descriptor() const { return descriptor_; }  // the memfd, owned by the arena; -1 if anonymous
  // The region that shown() points into and the size of its reservation, for a process that maps
  // the memfd.
  const std::byte* region() const { return region_ + to_shown_; }
  size_t reserved() const { return reserved_; }
  // Size of the part of the region that was ever allocated, in bytes from its start.
  size_t used() const { return used_; }

 private:
  static constexpr size_t kClasses = 48;

  bool map(size_t size);
  bool show(size_t size);
  void seal();
  void unmap();
  void dump_more();

  std::byte* region_ = nullptr;
  ptrdiff_t to_shown_ = 0;  // from an address in region_ to the one that is shown
  size_t reserved_ = 0;
  size_t used_ = 0;
  size_t dumped_ = 0;  // bytes from the start that core dumps have
  int descriptor_ = -1;
  std::array<std::vector<void*>, kClasses> free_;  // by log2 of the block size
};

}  // namespace berth
