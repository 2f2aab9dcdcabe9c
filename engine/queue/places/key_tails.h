#pragma once

// The ends of sort keys that are longer than the beginnings in the entries of the orders. They are
// compared where the beginnings are equal.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/queue/sort_key.h"

namespace berth::queue {

// By the index of a pod's row. One thread.
class KeyTails {
 public:
  // `key_bytes`: of whole keys, at least 1.
  explicit KeyTails(size_t key_bytes)
      : bytes_(key_bytes > sizeof(SortKey) ? key_bytes - sizeof(SortKey) : 0) {}

  size_t bytes() const { return bytes_; }  // of each; 0: keys have no more than a SortKey
  // Copies bytes(). The pod is in no order of pods with keys, or is put into its order anew next.
  void set(uint32_t index, const uint8_t* tail) { std::memcpy(at(index), tail, bytes_); }
  // Of a pod whose place needs no key.
  void clear(uint32_t index) {
    if (bytes_ != 0) std::memset(at(index), 0, bytes_);
  }
  // As memcmp. Precondition: both were set or cleared.
  int compare(uint32_t first, uint32_t second) const {
    return std::memcmp(&tails_[first * bytes_], &tails_[second * bytes_], bytes_);
  }

 private:
  uint8_t* at(uint32_t index) {
    const size_t begin = index * bytes_;
    if (begin + bytes_ > tails_.size()) tails_.resize(begin + bytes_);
    return &tails_[begin];
  }

  size_t bytes_;
  std::vector<uint8_t> tails_;
};

}  // namespace berth::queue
