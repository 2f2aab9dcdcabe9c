#include "engine/document/yaml/write_yaml.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/assert.h"
#include "engine/document/yaml/yaml_scalar.h"

namespace berth::document {
namespace {

constexpr size_t kStep = 2;
// A key before a colon has at most 1024 characters in YAML; a longer one needs a question mark.
constexpr size_t kLongestKey = 1000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_plain(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
}

// Other readers than ours may take more for numbers and dates, so only words are plain.
bool is_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_plain) &&
         internal::resolve_plain(text).kind == Kind::kString;
}

// YAML's readers refuse these characters, which JSON allows as they are.
std::string escape_for_yaml(std::string json) {
  constexpr std::string_view kRefused[] = {"\xef\xbb\xbf", "\xef\xbf\xbe", "\xef\xbf\xbf"};
  constexpr std::string_view kEscaped[] = {"\\ufeff", "\\ufffe", "\\uffff"};
  for (size_t i = 0; i < std::size(kRefused); ++i)
    for (size_t at = 0; (at = json.find(kRefused[i], at)) != json.npos;)
      json.replace(at, kRefused[i].size(), kEscaped[i]);
  return json;
}

std::string scalar(std::string_view text) {
  if (is_word(text)) return std::string(text);
  return escape_for_yaml(quoted(text));
}

bool is_block(Value value) {
  return (value.is(Kind::kArray) || value.is(Kind::kObject)) && value.size() != 0;
}

// As reading gives it, so that the text does not change when it is read and written again. A number
// beyond the range of a double stays as it is.
std::string number(std::string_view text) {
  internal::Scalar read = internal::resolve_plain(text);
  const bool in_range = read.kind == Kind::kNumber && !read.unprintable;
  return in_range ? std::move(read.number) : std::string(text);
}

std::string inline_text(Value value) {
  if (value.is(Kind::kString)) return scalar(value.as_string());
  return value.is(Kind::kNumber) ? number(value.number_text()) : to_json(value);
}

void append_block(Value value, size_t indent, std::string& out);

// `out` ends where the value's line begins, with the indentation already written.
void append_behind_dash(Value value, size_t indent, std::string& out) {
  if (is_block(value)) return append_block(value, indent, out);
  out += inline_text(value) + "\n";
}

void append_member(const Member& member, size_t indent, std::string& out) {
  const std::string key = scalar(member.key);
  if (key.size() > kLongestKey) {
    out += "? " + key + "\n" + std::string(indent, ' ') + ":";
  } else {
    out += key + ":";
  }
  if (!is_block(member.value)) {
    out += " " + inline_text(member.value) + "\n";
    return;
  }
  const size_t below = indent + (member.value.is(Kind::kArray) ? 0 : kStep);
  out += "\n" + std::string(below, ' ');
  append_block(member.value, below, out);
}

// Precondition: is_block(value).
void append_block(Value value, size_t indent, std::string& out) {
  BERTH_ASSERT(is_block(value));
  const std::string before(indent, ' ');
  bool first = true;
  const auto begin_line = [&] {
    if (!first) out += before;
    first = false;
  };
  for (const Value element : value.elements()) {
    begin_line();
    out += "- ";
    append_behind_dash(element, indent + kStep, out);
  }
  for (const Member& member : value.members()) {
    begin_line();
    append_member(member, indent, out);
  }
}

}  // namespace

std::string to_yaml(Value value) {
  std::string out;
  append_behind_dash(value, 0, out);
  return out;
}

}  // namespace berth::document
