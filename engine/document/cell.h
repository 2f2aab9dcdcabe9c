#pragma once

// The cell of a value; document.h reads cells inline. Internal to this module.
//
// The cells of a document are one array in text order, parents before children, so that parsing
// appends and walking skips:
//
//   {"a": [1, 2], "b": {}}     object(7) "a" array(3) 1 2 "b" object(1)
//
// The number in parentheses is the extent: the number of cells of an array or object, itself
// included. A member is a string cell for its key, followed by its value.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::document {

enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

namespace internal {

struct Cell {
  static constexpr uint32_t kKindBits = 3;
  static constexpr uint32_t kMaxSize = UINT32_MAX >> kKindBits;

  uint32_t offset;  // of the value's first character in the text of the file
  // Size: bytes of a string or number, number of elements or members.
  uint32_t size_and_kind;
  union {
    // String or number; points into the file's text or the heap.
    const char* text;
    uint64_t extent;  // array or object
    uint64_t truth;   // boolean
  };

  Kind kind() const { return Kind(size_and_kind & ((1u << kKindBits) - 1)); }
  uint32_t size() const { return size_and_kind >> kKindBits; }
  void set(Kind kind, size_t size) { size_and_kind = uint32_t(size) << kKindBits | uint32_t(kind); }
  bool container() const { return kind() >= Kind::kArray; }
  std::string_view view() const { return {text, size()}; }
  bool contains(const Cell* cell) const { return cell >= this && cell < next(); }
  const Cell* next() const { return this + (container() ? extent : 1); }
};
static_assert(sizeof(Cell) == 16,
              "8 bytes for text or extent, 4 for the offset, 4 for size and kind");

}  // namespace internal
}  // namespace berth::document
