#include "engine/document/storage.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"

namespace berth::document::internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Counts the line breaks of a text of at most kBlock bytes, eight bytes at a time. Computing the
// first place of a file counts all its lines, so this loop dominates.
uint32_t count_breaks(std::string_view text) {
  constexpr uint64_t kEachByte = 0x0101010101010101;
  constexpr uint64_t kLows = 0x7f * kEachByte;
  uint64_t counts = 0;  // one counter per byte
  const size_t words = text.size() / 8;
  static_assert(LineIndex::kBlock / 8 < 256, "or a byte would run over");
  for (size_t i = 0; i < words; ++i) {
    uint64_t word;
    std::memcpy(&word, text.data() + 8 * i, sizeof(word));
    word ^= kEachByte * '\n';
    counts += ~(((word & kLows) + kLows) | word | kLows) >> 7;  // 1 in each zero byte
  }
  constexpr uint64_t kPairs = 0x00ff00ff00ff00ff;
  uint64_t pairs = (counts & kPairs) + (counts >> 8 & kPairs);
  return uint32_t(pairs * 0x0001000100010001 >> 48) +
         uint32_t(std::count(text.begin() + std::ptrdiff_t(8 * words), text.end(), '\n'));
}

// Returns the offset behind the last line break of the text, or 0 if it has none.
size_t behind_last_break(std::string_view text) {
  if (text.empty()) return 0;
  const void* last = memrchr(text.data(), '\n', text.size());
  return last == nullptr ? 0 : size_t(static_cast<const char*>(last) - text.data()) + 1;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace

char* TextHeap::allocate(size_t size) {
  if (size > left_) {
    size_t chunk = std::max(size, kChunk);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk));
    if (size >= kChunk / 2)
      return chunks_.back()
          .get();  // a large text gets its own chunk; the current chunk stays in use
    free_ = chunks_.back().get();
    left_ = chunk;
  }
  char* text = free_;
  free_ += size;
  left_ -= size;
  return text;
}

void LineIndex::build(std::string_view text) const {
  Block block{0, 0};
  for (size_t begin = 0; begin <= text.size(); begin += kBlock) {
    blocks_.push_back(block);
    std::string_view part = text.substr(begin, kBlock);
    uint32_t breaks = count_breaks(part);
    if (breaks == 0) continue;
    block.lines_before += breaks;
    block.line_start = uint32_t(begin + behind_last_break(part));
  }
}

Position LineIndex::at(std::string_view text, uint32_t offset) const {
  std::call_once(built_, [&] { build(text); });
  BERTH_ASSERT(offset <= text.size());
  const Block& block = blocks_[offset / kBlock];
  size_t begin = offset / kBlock * kBlock;
  std::string_view part = text.substr(begin, offset - begin);
  const size_t behind = behind_last_break(part);
  size_t start = behind == 0 ? block.line_start : begin + behind;
  return {block.lines_before + count_breaks(part) + 1, offset - uint32_t(start) + 1};
}

Position position_behind(Position from, std::string_view text) {
  for (size_t begin = 0; begin < text.size(); begin += LineIndex::kBlock) {
    const std::string_view part = text.substr(begin, LineIndex::kBlock);
    if (const uint32_t breaks = count_breaks(part); breaks != 0) {
      from.line += breaks;
      from.column = static_cast<uint32_t>(part.size() - behind_last_break(part)) + 1;
    } else {
      from.column += static_cast<uint32_t>(part.size());
    }
  }
  return from;
}

Storage::Storage(FileText read, std::string file_name)
    : content(std::move(read)), text(without_mark(content.view())), file(std::move(file_name)) {}

Storage::Storage(std::string_view part, std::string file_name, Origin of)
    : content(FileText::copy({})), text(part), file(std::move(file_name)), origin(std::move(of)) {}

Position Storage::position(uint32_t offset) const {
  // The first character's is asked for each item of a list.
  Position position = offset == 0 ? Position{1, 1} : lines.at(text, offset);
  if (position.line == 1) position.column += origin.columns;
  position.line += origin.lines;
  return position;
}

Place Storage::place(uint32_t offset) const {
  const Position at = position(offset);
  Place place;
  place.file = file;
  place.line = at.line;
  place.column = at.column;
  return place;
}

std::string_view Builder::keep(std::string_view text) {
  char* kept = allocate(text.size());
  std::copy(text.begin(), text.end(), kept);
  return {kept, text.size()};
}

void Builder::close(size_t container, size_t count) {
  Cell& cell = storage_.cells[container];
  if (count > Cell::kMaxSize) throw Malformed{cell.offset, "more than 500 million elements"};
  cell.set(cell.kind(), count);
  cell.extent = size() - container;
}

// Counts the complete objects that an array begins with. `end` is set to the cell behind them.
size_t Builder::complete_objects(size_t array, size_t& end) const {
  const auto is_complete = [&](size_t at) {
    return at < size() && cell(at).kind() == Kind::kObject && !is_open(at);
  };
  size_t count = 0;
  for (end = array + 1; is_complete(end); end = behind(end)) ++count;
  return count;
}

size_t Builder::cut_list(size_t root) {
  if (root >= size() || !is_open(root)) return 0;
  size_t end = root + 1;
  if (cell(root).kind() == Kind::kArray) {
    const size_t items = complete_objects(root, end);
    if (items == 0) return 0;
    rewind(end);
    close(root, items);
    storage_.cut_roots.push_back(root);
    return items;
  }
  size_t items = 0;
  size_t members = 0;
  while (end + 1 < size()) {
    const size_t value = end + 1;
    const bool has_items = cell(end).view() == "items" && cell(value).kind() == Kind::kArray;
    const bool open = is_open(value);
    if (has_items && open) {
      items = complete_objects(value, end);
      if (items == 0) return 0;
      rewind(end);
      close(value, items);
      ++members;
      break;
    }
    if (open) break;
    if (has_items) items = cell(value).size();
    ++members;
    end = behind(value);
  }
  if (items == 0) return 0;
  rewind(end);
  close(root, members);
  storage_.cut_roots.push_back(root);
  return items;
}

void Builder::copy(size_t begin, size_t end) {
  BERTH_ASSERT(begin <= end && end <= size());
  size_t to = size();
  storage_.cells.resize(to + (end - begin));
  Cell* cells = storage_.cells.data();
  std::copy(cells + begin, cells + end, cells + to);
}

std::vector<Cell> Builder::take(size_t begin) {
  std::vector<Cell> cells(storage_.cells.begin() + ptrdiff_t(begin), storage_.cells.end());
  rewind(begin);
  return cells;
}

std::optional<Malformed> Builder::repeated_key(size_t object) const {
  const Cell& parent = cell(object);
  if (parent.size() < 2) return std::nullopt;
  boost::container::small_vector<const Cell*, 32> keys;
  keys.reserve(parent.size());
  const Cell* key = &parent + 1;
  for (uint32_t i = 0; i < parent.size(); ++i) {
    if (key->text != kMergeKeyText) keys.push_back(key);
    key = (key + 1)->next();
  }
  auto by_key = [](const Cell* a, const Cell* b) {
    int order = a->view().compare(b->view());
    return order != 0 ? order < 0 : a < b;
  };
  std::sort(keys.begin(), keys.end(), by_key);
  auto same = [](const Cell* a, const Cell* b) { return a->view() == b->view(); };
  auto pair = std::adjacent_find(keys.begin(), keys.end(), same);
  if (pair == keys.end()) return std::nullopt;
  const Cell& second = **std::next(pair);
  Position first = storage_.lines.at(storage_.text, (*pair)->offset);
  return Malformed{second.offset, "key \"" + std::string(second.view().substr(0, 100)) +
                                      "\" is already in line " + std::to_string(first.line)};
}

void Builder::finish(std::vector<size_t> roots) {
  storage_.root_cells = std::move(roots);
  for (size_t root : storage_.root_cells) {
    storage_.roots.push_back(Value(&storage_, &storage_.cells[root]));
  }
}

}  // namespace berth::document::internal
