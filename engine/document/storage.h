#pragma once

// The storage of a Document's cells (cell.h) and texts. Internal to this module.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/cell.h"
#include "engine/document/document.h"
#include "engine/document/file_text.h"

namespace berth::document::internal {

// Texts that differ from their form in the file: with escapes, folded over lines, and so on.
class TextHeap {
 public:
  // Returns space for `size` bytes that is never moved.
  char* allocate(size_t size);

 private:
  static constexpr size_t kChunk = 64 * 1024;

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  size_t left_ = 0;
};

// Converts offsets to lines and columns. Indexes the line breaks of the text on first use.
class LineIndex {
 public:
  static constexpr size_t kBlock = 1024;

  // Thread-safe: std::call_once publishes the blocks, which are written only once.
  Position at(std::string_view text, uint32_t offset) const;

 private:
  struct Block {
    // Number of line breaks before the block.
    uint32_t lines_before;
    // Offset of the line that contains the first character of the block.
    uint32_t line_start;
  };

  void build(std::string_view text) const;

  mutable std::once_flag built_;
  mutable std::vector<Block> blocks_;
};

// The beginning of a text that is a part of a file.
struct Origin {
  uint32_t lines = 0;    // of the file before the text's first line
  uint32_t columns = 0;  // bytes of the first line before the text
  std::string path;      // of the text's root; empty: the document's
};

// The position behind a text that begins at `from`.
Position position_behind(Position from, std::string_view text);

struct Storage {
  // The number of zero bytes after the text (FileText::kPadding).
  static constexpr size_t kPadding = 16;

  Storage(FileText content, std::string file_name);
  // Of a part of a file. The text is the caller's, with padding, and must outlive the storage.
  Storage(std::string_view text, std::string file_name, Origin origin);

  // Of the file.
  Position position(uint32_t offset) const;
  Place place(uint32_t offset) const;

  const FileText content;
  std::string_view text;  // without the byte order mark
  const std::string file;
  const Origin origin;

  TextHeap heap;
  std::vector<Cell> cells;         // complete before the first Value is made
  std::vector<size_t> root_cells;  // ascending
  std::vector<size_t> cut_roots;   // those of them that are cut short, ascending
  std::vector<Value> roots;
  bool repeats_keys = false;  // see Document
  LineIndex lines;
};

// The text of YAML's plain key `<<`. A quoted "<<" has the same text at another address.
inline constexpr char kMergeKeyText[] = "<<";
inline constexpr std::string_view kMergeKey(kMergeKeyText, 2);

// The error of one document. Thrown only within this module: parse_file reports it and continues
// with the next document.
struct Malformed {
  uint32_t offset;
  std::string message;
};

// Appends cells to a Storage.
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
  // The text must outlive the storage: it points into the file's text or comes from keep().
  void add_number(uint32_t offset, std::string_view text) { add_text(offset, Kind::kNumber, text); }
  void add_string(uint32_t offset, std::string_view text) { add_text(offset, Kind::kString, text); }

  // Space for a text that lives as long as the storage.
  char* allocate(size_t size) { return storage_.heap.allocate(size); }
  std::string_view keep(std::string_view text);

  // Begins an array or object. Everything added until close() belongs to it. Returns its cell
  // index.
  size_t open(uint32_t offset, Kind kind) {
    append(offset, kind, 0).extent = 0;
    return size() - 1;
  }
  // `count`: number of elements or members.
  void close(size_t container, size_t count);

  // Cuts a malformed document to a list of its complete items, which are objects. A list is an
  // array, or an object with an array "items"; members of the object that are incomplete are taken
  // back. Returns the number of items. 0: the document is no list or has no complete item, and
  // nothing is changed.
  size_t cut_list(size_t root);

  // Removes all cells from this index on.
  void rewind(size_t size) { storage_.cells.resize(size); }
  // Appends copies of the existing cells [begin, end).
  void copy(size_t begin, size_t end);
  // Removes the cells from `begin` on and returns them, so that they can be rebuilt.
  std::vector<Cell> take(size_t begin);
  void append(const Cell& cell) { storage_.cells.push_back(cell); }

  // The fault of an object of which two members have one key, other than kMergeKey.
  std::optional<Malformed> repeated_key(size_t object) const;
  void note_repeated_key() { storage_.repeats_keys = true; }

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
    if (text.size() > Cell::kMaxSize) throw Malformed{offset, "a text longer than 512 MiB"};
    append(offset, kind, text.size()).text = text.data();
  }

  Storage& storage_;
  const Limits& limits_;
};

}  // namespace berth::document::internal
