#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/assert.h"

namespace berth::apiserver {

// Bytes that are appended at one end and consumed at the other, in one piece of memory.
class ByteQueue {
 public:
  void append(std::string_view bytes) { bytes_.append(bytes); }

  // Valid until the next change.
  std::string_view bytes() const { return std::string_view(bytes_).substr(begin_); }
  size_t size() const { return bytes_.size() - begin_; }
  bool empty() const { return size() == 0; }

  // Requires: count <= size().
  void consume(size_t count) {
    BERTH_ASSERT(count <= size());
    begin_ += count;
    if (empty()) return clear();
    // Each byte is moved at most once for each byte that was consumed.
    if (begin_ >= kCompact && begin_ >= size()) {
      bytes_.erase(0, begin_);
      begin_ = 0;
    }
  }

  // Keeps memory for the next bytes, unless it is much.
  void clear() {
    begin_ = 0;
    bytes_.clear();
    if (bytes_.capacity() > kKept) bytes_ = {};
  }

 private:
  static constexpr size_t kCompact = 64 << 10, kKept = 512 << 10;

  std::string bytes_;
  size_t begin_ = 0;
};

}  // namespace berth::apiserver
