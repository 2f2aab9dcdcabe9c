#pragma once

// Buffers for columns that are built for one call. They are 64-byte aligned, with 64 readable bytes
// after the last value, and keep their memory between uses, so that a warm path does not allocate.

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "berth/abi/column.h"

namespace berth::model {

// A growing byte buffer. One thread.
class AlignedBytes {
 public:
  static constexpr size_t kAlignment = 64;

  // Drops the content and keeps the memory.
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }  // invalidated by extend() and push()
  // Returns the address of `bytes` more bytes, which are not initialised. Valid until the next
  // extend() or push(), which may move the buffer.
  std::byte* extend(size_t bytes) {
    if (size_ + bytes + kAlignment > capacity_ || !data_) grow(size_ + bytes);
    std::byte* at = data_.get() + size_;
    size_ += bytes;
    return at;
  }
  // Appends the bytes of one value. Requires: T is trivially copyable.
  template <typename T>
  void push(T value) {
    std::memcpy(extend(sizeof value), &value, sizeof value);
  }

 private:
  struct Free {
    void operator()(std::byte* block) const;
  };
  void grow(size_t bytes);

  std::unique_ptr<std::byte[], Free> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// A column under construction: begin(), then either value() or list() once per position.
class Gathered {
 public:
  // Starts a new column. `type` is the type of an element (BERTH_U8...); `list`: each position
  // holds a list of elements.
  void begin(uint32_t type, bool list) {
    type_ = type;
    list_ = list;
    count_ = 0;
    elements_ = 0;
    data_.clear();
    starts_.clear();
    sizes_.clear();
  }
  // Appends a position of a flat column. Requires: T has the column's type.
  template <typename T>
  void value(T element) {
    data_.push(element);
    ++count_;
  }
  // Appends a position of a list column.
  template <typename T>
  void list(std::span<const T> elements) {
    starts_.push(elements_);
    sizes_.push(static_cast<uint32_t>(elements.size()));
    if (!elements.empty())
      std::memcpy(data_.extend(elements.size_bytes()), elements.data(), elements.size_bytes());
    elements_ += static_cast<uint32_t>(elements.size());
    ++count_;
  }
  // Appends the values of the chosen positions of `from`, in the order of `chosen`; a position may
  // occur several times. Requires: `from` has the same type and listness, and all positions exist.
  void positions(const berth_column& from, std::span<const uint32_t> chosen);
  // Appends all positions of `from`. The same requirement.
  void all(const berth_column& from);

  // Appends a position that is 0, or an empty list.
  void zero();

  // Valid until the next begin(). The generation is 0, because the column belongs to no table.
  berth_column view();

 private:
  uint32_t type_ = 0;
  bool list_ = false;
  uint64_t count_ = 0;
  uint32_t elements_ = 0;
  AlignedBytes data_, starts_, sizes_;
};

}  // namespace berth::model
