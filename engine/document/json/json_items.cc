#include "engine/document/json/json_items.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "engine/document/json/json.h"
#include "engine/document/storage.h"
#include "engine/document/utf8.h"

namespace berth::document {
namespace {

using internal::Builder;
using internal::Malformed;
using internal::Storage;

constexpr size_t kWindow = 512 * 1024;  // bytes; it grows for larger items
// A value that the window's end cuts in two is malformed at most so far before it.
constexpr size_t kLongestToken = 64;
constexpr size_t kLongestItem = 64 * 1024 * 1024;
constexpr size_t kLongestTail = 1024 * 1024;  // of the list's members behind the items
constexpr uint32_t kDepth = 2;                // of an item, below the list and its array

// Reads a value of the list's head at `at` and moves behind it and the blanks that follow.
void skip_value(Builder& builder, uint32_t& at, uint32_t end) {
  at = skip_json_blanks(builder.storage(), parse_json(builder, at, end), end);
}

// The offset behind the bracket that opens the items of the list; nothing if there is none, or if
// the text is no object. Throws Malformed. `key`: the offset of the key "items".
std::optional<uint32_t> find_items(Builder& builder, uint32_t& key) {
  const std::string_view text = builder.storage().text;
  const auto end = static_cast<uint32_t>(text.size());
  uint32_t at = skip_json_blanks(builder.storage(), 0, end);
  if (at == end || text[at] != '{') return std::nullopt;
  do {
    at = skip_json_blanks(builder.storage(), at + 1, end);
    if (at == end || text[at] != '"') return std::nullopt;
    key = at;
    const size_t cell = builder.size();
    skip_value(builder, at, end);
    if (at == end || text[at] != ':') return std::nullopt;
    at = skip_json_blanks(builder.storage(), at + 1, end);
    if (builder.cell(cell).view() == "items") {
      if (at == end || text[at] != '[') return std::nullopt;
      return at + 1;
    }
    skip_value(builder, at, end);
  } while (at != end && text[at] == ',');
  return std::nullopt;
}

}  // namespace

JsonItems::JsonItems(ByteSource& source, std::string file)
    : source_(source), file_(std::move(file)), window_(kWindow + Storage::kPadding) {}

JsonItems::~JsonItems() = default;

Value JsonItems::item() const { return storage_->roots.front(); }

// Reads behind the rest of the window, which moves to its beginning and grows if the rest fills
// half of it. False: the source has ended.
bool JsonItems::fill() {
  if (ended_) return false;
  std::memmove(window_.data(), window_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (end_ > window_.size() / 2) window_.resize(window_.size() * 2);
  const size_t before = end_;
  const size_t most = window_.size() - Storage::kPadding;
  while (end_ < most) {
    const size_t more =
        source_.read({reinterpret_cast<uint8_t*>(window_.data()) + end_, most - end_});
    if (more == 0) {
      ended_ = true;
      break;
    }
    end_ += more;
  }
  std::memset(window_.data() + end_, 0, Storage::kPadding);
  return end_ != before;
}

void JsonItems::advance(size_t bytes) {
  position_ = internal::position_behind(position_, rest().substr(0, bytes));
  at_ += bytes;
}

// The next character that is not blank, which at_ is then at; 0: none.
char JsonItems::peek() {
  do {
    const size_t blanks = std::min(rest().find_first_not_of(" \t\r\n"), rest().size());
    advance(blanks);
    if (at_ != end_) return window_[at_];
  } while (fill());
  return 0;
}

// Reads up to the first item. False: this is no list, or its head does not fit in the window.
bool JsonItems::begin() {
  fill();
  Storage head(rest(), file_, {});
  const Limits limits;
  Builder builder(head, limits);
  uint32_t key = 0;
  std::optional<uint32_t> items;
  try {
    items = find_items(builder, key);
  } catch (const Malformed&) {
    return false;
  }
  if (!items || !internal::valid_utf8(rest().substr(0, *items))) return false;
  head_ = rest().substr(0, key);
  advance(*items);
  begun_ = true;
  return true;
}

JsonItems::Next JsonItems::next() {
  if (!begun_ && !begin()) return Next::kOther;
  const char found = peek();
  if (found == ']') return finish();
  if (count_ == 0) return found == '{' ? read_item() : Next::kOther;
  if (found != ',') return Next::kOther;
  advance(1);
  return peek() == '{' ? read_item() : Next::kOther;
}

JsonItems::Next JsonItems::read_item() {
  const Limits limits;
  uint32_t behind = 0;
  for (;;) {
    std::vector<internal::Cell> cells;  // whose memory is used again
    if (storage_) cells.swap(storage_->cells);
    cells.clear();
    storage_ = std::make_unique<Storage>(rest(), file_,
                                         internal::Origin{position_.line - 1, position_.column - 1,
                                                          "items[" + std::to_string(count_) + "]"});
    storage_->cells.swap(cells);
    try {
      Builder builder(*storage_, limits);
      behind = parse_json(builder, 0, static_cast<uint32_t>(rest().size()), kDepth);
      break;
    } catch (const Malformed& malformed) {
      const bool cut = malformed.offset + kLongestToken >= rest().size();
      if (!cut || rest().size() > kLongestItem || !fill()) return Next::kOther;
    }
  }
  storage_->text = rest().substr(0, behind);
  if (!internal::valid_utf8(storage_->text)) return Next::kOther;
  Builder(*storage_, limits).finish({0});
  advance(behind);
  ++count_;
  return Next::kItem;
}

// Reads what follows the items.
JsonItems::Next JsonItems::finish() {
  advance(1);
  while (rest().size() <= kLongestTail && fill()) {
  }
  if (rest().size() > kLongestTail) return Next::kOther;
  Diagnostics diagnostics;
  list_ = Document::parse(head_ + "\"items\":[" + "]" + std::string(rest()), file_, diagnostics);
  if (diagnostics.count() != 0 || list_.roots().size() != 1) return Next::kOther;
  uint64_t items = 0;
  for (const Member member : list().members()) items += member.key == "items" ? 1 : 0;
  return items == 1 ? Next::kEnd : Next::kOther;
}

}  // namespace berth::document
