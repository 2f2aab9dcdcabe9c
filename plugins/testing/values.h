#pragma once

// The values of one column, given by a test, in memory as the ABI requires it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "berth/abi/column.h"
#include "berth/sdk/column.hpp"

namespace berth::plugins::testing {

class Values {
 public:
  template <sdk::Element T>
  Values(std::vector<T> values)  // NOLINT(google-explicit-constructor): tables in tests read better
      : type_(sdk::kElementType<T>), element_size_(sizeof(T)), count_(values.size()) {
    append(values.data(), values.size());
  }
  template <sdk::Element T>
  Values(std::vector<std::vector<T>> lists)  // NOLINT(google-explicit-constructor)
      : type_(sdk::kElementType<T>), element_size_(sizeof(T)), count_(lists.size()), list_(true) {
    for (const std::vector<T>& list : lists) {
      starts_.push_back(static_cast<uint32_t>(elements_));
      sizes_.push_back(static_cast<uint32_t>(list.size()));
      append(list.data(), list.size());
    }
  }

  // Makes a dictionary column.
  static Values codes(std::vector<uint32_t> values) {
    uint32_t size = 1;
    for (const uint32_t code : values) size = std::max(size, code + 1);
    Values made(std::move(values));
    made.dictionary_size_ = size;
    return made;
  }

  size_t count() const { return count_; }

  // Valid until this object changes.
  berth_column column() const;

  // The same column at these positions. Lists are stored back to front, which readers must not
  // notice.
  Values gathered(std::span<const size_t> positions) const;

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  Values(uint32_t type, size_t element_size, bool list)
      : type_(type), element_size_(element_size), list_(list) {}
  void append(const void* data, size_t elements);
  const std::byte* element(size_t i) const {
    return reinterpret_cast<const std::byte*>(lines_.data()) + i * element_size_;
  }

  uint32_t type_;
  uint32_t dictionary_size_ = 0;
  size_t element_size_;
  size_t count_ = 0;
  size_t elements_ = 0;
  bool list_ = false;
  std::vector<Line> lines_ = std::vector<Line>(1);  // one line more than the elements need
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> sizes_;
};

}  // namespace berth::plugins::testing
