#pragma once

// Storage of one column: a flat array or lists, in 64-byte aligned, padded blocks of the arena.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/abi/column.h"
#include "engine/base/memory/arena.h"
#include "engine/model/columns/row_shifts.h"

namespace berth::model {

size_t element_size(uint32_t type);  // bytes; type is one of BERTH_U8.. of column.h

// A growable block of the arena with 64 readable bytes after its values.
class ArenaBuffer {
 public:
  explicit ArenaBuffer(Arena& arena) : arena_(&arena) {}
  ~ArenaBuffer();
  ArenaBuffer(ArenaBuffer&& other) noexcept;
  ArenaBuffer& operator=(ArenaBuffer&& other) noexcept;

  // New bytes are zero, existing ones are kept. Invalidates data().
  void resize(size_t bytes);
  size_t size() const { return size_; }
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  // The same for plugins (Arena::shown).
  const std::byte* shown() const { return data_ == nullptr ? nullptr : arena_->shown(data_); }

 private:
  Arena* arena_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;  // size requested from the arena; 0: no block yet
};

class AlignedBytes;

// A column has `count()` positions. Answers that were computed from it are valid as long as its
// generation, or the generation of the block that they were computed from, is the same. Invariant:
// a value that differs from what a reader saw is in a block whose generation is higher than it was.
// The writer keeps the invariant: `put`, `permute` and `renumber` touch the blocks whose values
// differ and no others; code that writes through `values`, `set_list` or into new positions calls
// `touch`.
//
// One thread writes. Any thread may read while nothing is written. The arena outlives the column.
class Column {
 public:
  static constexpr uint32_t kBlock = 64;  // positions per block

  // `type`: element type, one of BERTH_U8.. of berth/abi/column.h. `list`: each position holds a
  // list of elements. The column begins with 0 positions.
  Column(Arena& arena, uint32_t type, bool list);

  uint32_t type() const { return type_; }
  bool list() const { return list_; }
  size_t width() const { return width_; }  // bytes of an element
  size_t count() const { return count_; }  // positions
  // Grows with every write and every change of the count. Never 0.
  uint64_t generation() const { return generation_; }
  // The generation of the last write to any of the positions [64 * block, 64 * block + 63], which
  // need not exist.
  uint64_t generation_of(uint32_t block) const {
    return block < written_.size() && written_[block] > all_written_ ? written_[block]
                                                                     : all_written_;
  }
  // Gives all blocks, or the block of one position, a new generation. Requires position < count().
  void touch() { all_written_ = ++generation_; }
  void touch(size_t position) {
    const size_t block = position / kBlock;
    if (block >= written_.size()) written_.resize(count_ / kBlock + 1);
    written_[block] = ++generation_;
  }

  // Adds positions with value 0 or an empty list, or removes the last ones. A change of the count
  // gives the column a new generation, but no block: the caller touches new positions. Invalidates
  // values().
  void resize(size_t count);
  // Moves the value of position order[i] to position first + i, for each i; the new count is
  // first + order.size(). Precondition: order names positions from `first` on, each at most once.
  // `scratch` is memory that the caller keeps between calls.
  void permute(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch);
  // Moves values as rows move; positions from by.before on go first, and the new count is by.after.
  // Where a node came, the caller writes the value and touches it. `differ`: memory that the caller
  // keeps between calls.
  void renumber(const Renumbering& by, BlockBits& differ);

  // Write one position, and touch it if the new value differs from the old. Return true if it
  // does. Require: T is the element type, and position < count().
  template <typename T>
  bool put(size_t position, T value) {
    T& at = values<T>()[position];
    if (at == value) return false;
    at = value;
    touch(position);
    return true;
  }
  template <typename T>
  bool put_list(size_t position, std::span<const T> elements) {
    const std::span<const T> at = list_at<T>(position);
    if (std::equal(at.begin(), at.end(), elements.begin(), elements.end())) return false;
    set_list<T>(position, elements);
    touch(position);
    return true;
  }

  // The elements: by position if the column is flat; of a list column in no useful order. 64-byte
  // aligned, with 64 readable bytes after the last. Requires: T has the size of the element type.
  // Invalidated by resize() and set_list().
  template <typename T>
  T* values() {
    return reinterpret_cast<T*>(data_.data());
  }
  template <typename T>
  const T* values() const {
    return reinterpret_cast<const T*>(data_.data());
  }

  // The same without a type; position p begins at p * width().
  const std::byte* bytes() const { return data_.data(); }

  // List columns. Require position < count(). A span is valid until the next set_list() or
  // put_list(). set_list() does not touch the position.
  template <typename T>
  std::span<const T> list_at(size_t position) const {
    return {values<T>() + starts()[position], sizes()[position]};
  }
  template <typename T>
  void set_list(size_t position, std::span<const T> elements) {
    write_list(position, std::as_bytes(elements), elements.size());
  }

  // For a column of codes: the number of codes, which are 0..size - 1. Requires that all values are
  // below it.
  void set_dictionary_size(uint32_t size) { dictionary_size_ = size; }
  uint32_t dictionary_size() const { return dictionary_size_; }
  // The column as plugins see it: of a guarded arena they cannot write to it. Valid until the
  // column is next written or resized.
  berth_column view() const {
    berth_column column{};
    column.data = data_.shown();
    column.starts = list_ ? reinterpret_cast<const uint32_t*>(starts_.shown()) : nullptr;
    column.sizes = list_ ? reinterpret_cast<const uint32_t*>(sizes_.shown()) : nullptr;
    column.count = count_;
    column.generation = generation_;
    column.type = type_;
    column.dictionary_size = dictionary_size_;
    return column;
  }

 private:
  const uint32_t* starts() const { return reinterpret_cast<const uint32_t*>(starts_.data()); }
  const uint32_t* sizes() const { return reinterpret_cast<const uint32_t*>(sizes_.data()); }
  void write_list(size_t position, std::span<const std::byte> bytes, size_t elements);
  void compact();
  template <typename T>
  void permute_values(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch);
  void permute_lists(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch);
  void shift_lists(const RowShift& shift, BlockBits& differ);
  bool same_list(size_t position, uint32_t start, uint32_t size) const;
  template <typename T>
  static T* gather(const T* values, std::span<const uint32_t> order, AlignedBytes& scratch);

  uint32_t type_;
  bool list_;
  uint32_t width_;
  size_t count_ = 0;
  uint64_t generation_ = 1;
  uint64_t all_written_ = 1;
  std::vector<uint64_t> written_;  // by block
  uint32_t dictionary_size_ = 0;
  ArenaBuffer data_;
  ArenaBuffer starts_, sizes_;        // of lists
  std::vector<uint32_t> capacities_;  // of lists: elements that fit where the list stands
  size_t elements_ = 0;               // of lists: where the next new one goes
  size_t abandoned_ = 0;              // of lists: elements that no list uses any more
};

}  // namespace berth::model
