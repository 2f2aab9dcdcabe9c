#pragma once

// Flat messages: numbers, structs without pointers, and texts, one behind the other. Both sides are
// programs of one build, so layouts agree.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "berth/abi/base.h"

namespace berth::isolation {

// Thrown by a Reader where a message is shorter than it must be.
class BadMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  void clear() { bytes_.clear(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof value); }
  void text(std::string_view text) {
    put(uint64_t{text.size()});
    append(text.data(), text.size());
  }
  void text(berth_string text) {
    this->text(text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size));
  }
  // `data` may be null if `count` is 0.
  template <typename T>
  void list(const T* data, uint64_t count) {
    put(count);
    append(data, count * sizeof(T));
  }
  void append(const void* data, size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }

 private:
  std::vector<std::byte> bytes_;
};

// Memory for what was read from messages.
class Memory {
 public:
  std::byte* take(size_t size) { return blocks_.emplace_back(size).data(); }
  void clear() { blocks_.clear(); }

 private:
  std::vector<std::vector<std::byte>> blocks_;
};

// Throws BadMessage past the end.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string_view text() {
    const uint64_t size = get<uint64_t>();
    return {reinterpret_cast<const char*>(take(size)), static_cast<size_t>(size)};
  }
  template <typename T>
  std::vector<T> list() {
    return values<T>(get<uint64_t>());
  }
  // So many values.
  template <typename T>
  std::vector<T> values(uint64_t count) {
    std::vector<T> values(check<T>(count));
    copy(values.data(), count);
    return values;
  }
  // The same in `memory`; may be null if `count` is 0.
  template <typename T>
  T* array(uint64_t count, Memory& memory) {
    auto* values = reinterpret_cast<T*>(memory.take(check<T>(count) * sizeof(T)));
    copy(values, count);
    return values;
  }
  std::span<const std::byte> rest() const { return left_; }
  const std::byte* take(uint64_t size) {
    if (size > left_.size()) throw BadMessage("a message is too short");
    const std::byte* at = left_.data();
    left_ = left_.subspan(size);
    return at;
  }

 private:
  template <typename T>
  uint64_t check(uint64_t count) const {
    if (count > left_.size() / sizeof(T)) throw BadMessage("a list is longer than its message");
    return count;
  }
  template <typename T>
  void copy(T* to, uint64_t count) {
    if (count != 0) std::memcpy(to, take(count * sizeof(T)), count * sizeof(T));
  }

  std::span<const std::byte> left_;
};

}  // namespace berth::isolation
