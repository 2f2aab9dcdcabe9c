#include "engine/document/items/json_items.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/document/json/json.h"
#include "engine/document/storage.h"
#include "engine/document/utf8.h"

namespace berth::document::internal {
namespace {

// A value that the window's end cuts in two is malformed at most so far before it.
constexpr size_t kLongestToken = 64;

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

// The next character that is not blank, which the rest then begins with; 0: none.
char JsonItems::peek() {
  do {
    const std::string_view rest = window_.rest();
    window_.advance(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!window_.rest().empty()) return window_.rest().front();
  } while (window_.fill());
  return 0;
}

// Reads up to the first item. False: this is no list, or its head does not fit in the window.
bool JsonItems::begin() {
  const std::string_view rest = window_.rest();
  Storage head(rest, {}, {});
  Builder builder(head, limits_);
  uint32_t key = 0;
  std::optional<uint32_t> items;
  try {
    items = find_items(builder, key);
  } catch (const Malformed&) {
    return false;
  }
  if (!items || !valid_utf8(rest.substr(0, *items))) return false;
  head_ = rest.substr(0, key);
  window_.advance(*items);
  begun_ = true;
  return true;
}

ListItems::Next JsonItems::next() {
  if (!begun_ && !begin()) return Next::kOther;
  const char found = peek();
  if (found == ']') {
    window_.advance(1);
    return finish(head_ + "\"items\":[]");
  }
  if (count_ == 0) return found == '{' ? read_item() : Next::kOther;
  if (found != ',') return Next::kOther;
  window_.advance(1);
  return peek() == '{' ? read_item() : Next::kOther;
}

ListItems::Next JsonItems::read_item() {
  for (;;) {
    const std::string_view rest = window_.rest();
    Storage& storage = begin_item(rest);
    try {
      Builder builder(storage, limits_);
      const uint32_t behind = parse_json(builder, 0, static_cast<uint32_t>(rest.size()), kDepth);
      storage.text = rest.substr(0, behind);
      return valid_utf8(storage.text) ? end_item(behind) : Next::kOther;
    } catch (const Malformed& malformed) {
      const bool cut = malformed.offset + kLongestToken >= rest.size();
      if (!cut || rest.size() > kLongestItem || !window_.fill()) return Next::kOther;
    }
  }
}

}  // namespace berth::document::internal
