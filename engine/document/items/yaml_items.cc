#include "engine/document/items/yaml_items.h"

#include <algorithm>
#include <optional>

#include "engine/document/foreign_text.h"
#include "engine/document/split.h"
#include "engine/document/utf8.h"

namespace berth::document::internal {
namespace {

constexpr std::string_view kKey = "items:";
constexpr const char* kNoItems = " []\n";  // on a line of its own

// True if nothing or a comment follows on the line that `text` begins in.
bool ends_line(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first != text.npos && (text[first] == '\n' || (text[first] == '#' && first != 0));
}

// The line of the key "items" whose value begins on another line; nothing if there is none. Lines
// that mean something to the items (directives), or that end a document, may not be before it.
std::optional<size_t> items_line(std::string_view text) {
  bool content = false;
  for (size_t at = 0;; ++at) {
    const std::string_view line = text.substr(at);
    if (line.starts_with(kKey) && ends_line(line.substr(kKey.size()))) return at;
    if (line.starts_with('%') || line.starts_with("...")) return std::nullopt;
    if (line.starts_with("---") && content) return std::nullopt;
    content = content || (!line.empty() && line[0] != '#' && line[0] != '\n');
    at = text.find('\n', at);
    if (at == text.npos) return std::nullopt;
  }
}

// True if the items behind `head` are those of the file's own object, and no part of a text, say.
// A parser reads YAML from the beginning to the end, so the text behind `head` changes nothing.
bool begins_items(const std::string& head) {
  Diagnostics diagnostics;
  const auto document = Document::parse(head + kNoItems, {}, diagnostics);
  if (diagnostics.count() != 0 || document.roots().size() != 1) return false;
  const Value items = document.roots().front().find("items");
  return items.present() && items.position().line == position_behind({1, 1}, head).line;
}

// True if the line whose first character that is no blank is at `first` has no content.
bool is_blank(std::string_view text, size_t first) {
  return text[first] == '\n' || text[first] == '#' || text.substr(first).starts_with("\r\n");
}

// True if the text has a line break of YAML that is neither a line feed nor ends with one.
bool has_other_breaks(std::string_view text) {
  for (size_t at = 0; (at = text.find('\r', at)) != text.npos; ++at)
    if (!text.substr(at).starts_with("\r\n")) return true;
  for (const char* character : {"\u0085", "\u2028", "\u2029"})
    if (text.find(character) != text.npos) return true;
  return false;
}

// False for what may be another blank or line break of YAML.
bool is_content(char c) { return c > ' ' && c < '\x7f'; }

}  // namespace

// Reads up to the first item. False: this is no list in block style, or its head is too long.
bool YamlItems::begin() {
  const std::optional<size_t> key = items_line(window_.rest());
  if (!key || foreign_text(window_.rest())) return false;
  const size_t line = content_behind(*key, SIZE_MAX);
  if (line == SIZE_MAX || line == window_.rest().size()) return false;
  head_ = window_.rest().substr(0, line);
  if (!valid_utf8(head_) || !begins_items(head_)) return false;
  window_.advance(line);
  column_ = window_.rest().find_first_not_of(' ');
  begun_ = true;
  return at_item();
}

bool YamlItems::at_item() const {
  const std::string_view rest = window_.rest();
  if (rest.find_first_not_of(' ') != column_ || rest[column_] != '-') return false;
  const std::string_view behind = rest.substr(column_ + 1);
  return behind.empty() || behind[0] == ' ' || behind[0] == '\n' || behind[0] == '\r';
}

size_t YamlItems::content_behind(size_t line, size_t column) {
  while (window_.rest().size() <= kLongestItem) {
    const std::string_view rest = window_.rest();
    const size_t next = std::min(rest.find('\n', line), rest.size() - 1) + 1;
    const size_t first = rest.find_first_not_of(' ', next);
    // A carriage return is a blank only before a line feed.
    if ((first == rest.npos || first + 1 == rest.size()) && window_.fill()) continue;
    if (first == rest.npos) return rest.size();
    if (first - next <= column && !is_blank(rest, first))
      return is_content(rest[first]) ? next : SIZE_MAX;
    line = next;
  }
  return SIZE_MAX;
}

ListItems::Next YamlItems::next() {
  if (!begun_) return begin() ? read_item() : Next::kOther;
  return at_item() ? read_item() : finish(head_ + kNoItems);
}

ListItems::Next YamlItems::read_item() {
  const size_t end = content_behind(0, column_);
  if (end == SIZE_MAX) return Next::kOther;
  window_.blank(column_);
  const std::string_view text = window_.rest().substr(0, end);
  if (!valid_utf8(text) || has_other_breaks(text)) return Next::kOther;
  Storage& storage = begin_item(text);
  Limits limits = limits_;
  limits.depth -= kDepth;
  Builder builder(storage, limits);
  try {
    if (!parse_yaml(builder, aliases_, 0, static_cast<uint32_t>(end))) return Next::kOther;
  } catch (const Malformed&) {
    return Next::kOther;
  }
  return builder.cell(0).kind() == Kind::kObject ? end_item(end) : Next::kOther;
}

}  // namespace berth::document::internal
