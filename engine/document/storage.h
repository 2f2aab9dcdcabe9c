#pragma once

// How a Document keeps its values: one array of cells in the order of the text, parents before
// children, so that it is built by appending and walked by skipping. Internal to this module.
//
//   {"a": [1, 2], "b": {}}     object(6) "a" array(3) 1 2 "b" object(1)
//
// In brackets: the extent, the number of cells of an array or object with all that is in it. A
// member is a string cell for its key, then its value.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/document/file_text.h"

namespace berth::document::internal {

struct Cell {
  static constexpr uint32_t kKindBits = 3;
  static constexpr uint32_t kMaxSize = UINT32_MAX >> kKindBits;

  uint32_t offset;         // of the first character in the text of the file
  uint32_t size_and_kind;  // size: bytes of a string or number, elements, members
  union {
    const char* text;  // of a string or number: in the file's text or in the heap
    uint64_t extent;   // of an array or object
    uint64_t truth;    // of a boolean
  };

  Kind kind() const { return Kind(size_and_kind & ((1u << kKindBits) - 1)); }
  uint32_t size() const { return size_and_kind >> kKindBits; }
  void set(Kind kind, size_t size) { size_and_kind = uint32_t(size) << kKindBits | uint32_t(kind); }
  bool container() const { return kind() >= Kind::kArray; }
  std::string_view view() const { return {text, size()}; }
  bool contains(const Cell* cell) const { return cell >= this && cell < next(); }
  const Cell* next() const { return this + (container() ? extent : 1); }
};
static_assert(sizeof(Cell) == 16, "eight bytes of text and offset, eight of where and how much");

// Texts that do not stand in the file as they are meant: with escapes, folded over lines and the
// like.
class TextHeap {
 public:
  // A place for `size` bytes that stays where it is.
  char* allocate(size_t size);

 private:
  static constexpr size_t kChunk = 64 * 1024;

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  size_t left_ = 0;
};

// From offsets to lines. Counts the lines of blocks of the text when first asked.
class LineIndex {
 public:
  static constexpr size_t kBlock = 1024;

  struct Position {
    uint32_t line;    // from 1
    uint32_t column;  // from 1, in bytes
  };

  // Safe for several threads: the blocks are written once, before call_once lets anybody through.
  Position at(std::string_view text, uint32_t offset) const;

 private:
  struct Block {
    uint32_t lines_before;  // line breaks before the block
    uint32_t line_start;    // where the line begins that the block begins in
  };

  void build(std::string_view text) const;

  mutable std::once_flag built_;
  mutable std::vector<Block> blocks_;
};

struct Storage {
  // So many zero bytes stand behind the text, so that parsers need not ask for its end at every
  // step and may look at eight bytes at a time.
  static constexpr size_t kPadding = 16;

  Storage(FileText content, std::string file_name);

  Place place(uint32_t offset) const;

  const FileText content;
  const std::string_view text;  // without the byte order mark
  const std::string file;

  TextHeap heap;
  std::vector<Cell> cells;         // complete before the first Value is made
  std::vector<size_t> root_cells;  // ascending
  std::vector<size_t> cut_roots;   // those of them that are cut short, ascending
  std::vector<Value> roots;
  LineIndex lines;
};

// The text of YAML's key `<<`, told from the same string in quotes by being this very array.
inline constexpr char kMergeKeyText[] = "<<";
inline constexpr std::string_view kMergeKey(kMergeKeyText, 2);

// What is wrong with a document, thrown within this module: the caller reports it and goes on with
// the next.
struct Malformed {
  uint32_t offset;
  std::string message;
};

// Appends cells.
class Builder {
 public:
  Builder(Storage& storage, const Limits& limits) : storage_(storage), limits_(limits) {}

  const Storage& storage() const { return storage_; }
  const Limits& limits() const { return limits_; }
  size_t size() const { return storage_.cells.size(); }
  void expect(size_t cells) { storage_.cells.reserve(cells); }
  const Cell& cell(size_t index) const { return storage_.cells[index]; }

  void add_null(uint32_t offset) { append(offset, Kind::kNull, 0).extent = 0; }
  void add_boolean(uint32_t offset, bool value) { append(offset, Kind::kBoolean, 0).truth = value; }
  // The text must stay: in the file or from keep().
  void add_number(uint32_t offset, std::string_view text) { add_text(offset, Kind::kNumber, text); }
  void add_string(uint32_t offset, std::string_view text) { add_text(offset, Kind::kString, text); }

  // Room for a text that stays.
  char* allocate(size_t size) { return storage_.heap.allocate(size); }
  std::string_view keep(std::string_view text);

  // Begins an array or object; what is added until it is closed is in it.
  size_t open(uint32_t offset, Kind kind) {
    append(offset, kind, 0).extent = 0;
    return size() - 1;
  }
  // `count`: its elements or members.
  void close(size_t container, size_t count);

  // Cuts a malformed document to a list of its complete items, which are objects. A list is an
  // array, or an object with an array "items"; members of the object that are incomplete are taken
  // back. Returns the number of items. 0: the document is no list or has no complete item, and
  // nothing is changed.
  size_t cut_list(size_t root);

  // Takes back everything from a cell on.
  void rewind(size_t size) { storage_.cells.resize(size); }
  // Appends copies of cells that are there.
  void copy(size_t begin, size_t end);
  // Takes the cells from `begin` on, to build them anew.
  std::vector<Cell> take(size_t begin);
  void append(const Cell& cell) { storage_.cells.push_back(cell); }

  // Throws Malformed if two members of the object have one key, other than kMergeKey.
  void refuse_duplicate_keys(size_t object) const;

  // Makes the documents' first cells the roots, once all cells are there.
  void finish(std::vector<size_t> roots);

 private:
  Cell& append(uint32_t offset, Kind kind, size_t size) {
    Cell& cell = storage_.cells.emplace_back();
    cell.offset = offset;
    cell.set(kind, size);
    return cell;
  }
  bool is_open(size_t index) const { return cell(index).container() && cell(index).extent == 0; }
  size_t behind(size_t index) const {
    return index + (cell(index).container() ? cell(index).extent : 1);
  }
  size_t complete_objects(size_t array, size_t& end) const;
  void add_text(uint32_t offset, Kind kind, std::string_view text) {
    if (text.size() > Cell::kMaxSize) throw Malformed{offset, "a text of more than 512 MiB"};
    append(offset, kind, text.size()).text = text.data();
  }

  Storage& storage_;
  const Limits& limits_;
};

}  // namespace berth::document::internal
