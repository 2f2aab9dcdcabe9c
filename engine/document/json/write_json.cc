#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"
#include "engine/document/document.h"

namespace berth::document {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_plain_in_json(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void append_escape(char32_t character, std::string& out) {
  constexpr std::string_view kMeaning = "\"\\\b\f\n\r\t";
  constexpr std::string_view kEscaped = "\"\\bfnrt";
  constexpr char kHex[] = "0123456789abcdef";
  const size_t which =
      character < 0x80 ? kMeaning.find(static_cast<char>(character)) : kMeaning.npos;
  out += '\\';
  if (which != kMeaning.npos) {
    out += kEscaped[which];
    return;
  }
  BERTH_ASSERT(character <= 0xffff);  // nothing above is escaped
  out += 'u';
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[character >> shift & 15];
}

// Appends the character that the text begins with and returns its bytes.
size_t append_character(std::string_view text, std::string& out) {
  const Utf8Character character = first_character(text);
  if (character.bytes == 0) {
    out += kReplacement;
    return 1;
  }
  const bool ascii = character.value < 0x80;
  if ((ascii && !is_plain_in_json(text[0])) || !is_printable(character.value)) {
    append_escape(character.value, out);
  } else {
    out += text.substr(0, character.bytes);
  }
  return character.bytes;
}

void append_array(Value value, std::string& out) {
  char before = '[';
  for (Value element : value.elements()) {
    out += before;
    append_json(element, out);
    before = ',';
  }
  out += before == '[' ? "[]" : "]";
}

void append_object(Value value, std::string& out) {
  char before = '{';
  for (Member member : value.members()) {
    out += before;
    append_json_string(member.key, out);
    out += ':';
    append_json(member.value, out);
    before = ',';
  }
  out += before == '{' ? "{}" : "}";
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const auto plain_end = std::find_if_not(text.begin(), text.end(), is_plain_in_json);
    out.append(text.begin(), plain_end);
    text.remove_prefix(static_cast<size_t>(plain_end - text.begin()));
    if (!text.empty()) text.remove_prefix(append_character(text, out));
  }
  out += '"';
}

// Recursion is as deep as the document, which is limited.
void append_json(Value value, std::string& out) {
  switch (value.kind()) {
    case Kind::kNull:
      out += "null";
      break;
    case Kind::kBoolean:
      out += value.as_bool() ? "true" : "false";
      break;
    case Kind::kNumber:
      out += value.number_text();
      break;
    case Kind::kString:
      append_json_string(value.as_string(), out);
      break;
    case Kind::kArray:
      append_array(value, out);
      break;
    case Kind::kObject:
      append_object(value, out);
      break;
  }
}

std::string to_json(Value value) {
  std::string out;
  append_json(value, out);
  return out;
}

}  // namespace berth::document
