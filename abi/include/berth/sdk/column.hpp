#pragma once

// Typed views of columns: a flat column is a std::span, a list column yields one std::span per
// position. Views are valid for the call.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "berth/abi/column.h"
#include "berth/sdk/failure.hpp"

namespace berth::sdk {

template <class T>
inline constexpr uint32_t kElementType = 0;  // 0: not an element type
template <>
inline constexpr uint32_t kElementType<uint8_t> = BERTH_U8;
template <>
inline constexpr uint32_t kElementType<uint32_t> = BERTH_U32;
template <>
inline constexpr uint32_t kElementType<int32_t> = BERTH_I32;
template <>
inline constexpr uint32_t kElementType<int64_t> = BERTH_I64;
template <>
inline constexpr uint32_t kElementType<uint64_t> = BERTH_U64;
template <>
inline constexpr uint32_t kElementType<double> = BERTH_F64;

template <class T>
concept Element = kElementType<T>
!= 0;

// The values of a list column, one list per position.
template <Element T>
class Lists {
 public:
  Lists() = default;
  explicit Lists(const berth_column& column)
      : data_(static_cast<const T*>(column.data)),
        starts_(column.starts),
        sizes_(column.sizes),
        count_(column.count) {}

  size_t size() const { return count_; }
  // Requires i < size().
  std::span<const T> operator[](size_t i) const { return {data_ + starts_[i], sizes_[i]}; }

 private:
  const T* data_ = nullptr;
  const uint32_t* starts_ = nullptr;
  const uint32_t* sizes_ = nullptr;
  size_t count_ = 0;
};

// Throws Failure if the column was not passed, has another type, or is a list column.
template <Element T>
std::span<const T> flat(const berth_column& column) {
  if (column.count == 0) return {};
  if (column.data == nullptr) internal::fail("a column was read that was not declared");
  if (column.type != kElementType<T>) internal::fail("a column is of another element type");
  if (column.starts != nullptr) internal::fail("a list column was read as a flat one");
  return {static_cast<const T*>(column.data), column.count};
}

// Throws Failure if the column was not passed, has another type, or is a flat column.
template <Element T>
Lists<T> lists(const berth_column& column) {
  if (column.count == 0) return {};
  if (column.type != kElementType<T>) internal::fail("a column is of another element type");
  if (column.starts == nullptr || column.sizes == nullptr)
    internal::fail(column.data == nullptr ? "a column was read that was not declared"
                                          : "a flat column was read as a list column");
  return Lists<T>(column);
}

}  // namespace berth::sdk
