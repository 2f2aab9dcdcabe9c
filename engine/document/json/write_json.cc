#include <algorithm>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/document/utf8.h"

namespace berth::document {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_plain(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_escape(char c, std::string& out) {
  constexpr std::string_view kMeaning = "\"\\\b\f\n\r\t";
  constexpr std::string_view kEscaped = "\"\\bfnrt";
  constexpr char kHex[] = "0123456789abcdef";
  size_t which = kMeaning.find(c);
  out += '\\';
  if (which != kMeaning.npos) {
    out += kEscaped[which];
  } else {
    out += "u00";
    out += kHex[c >> 4];
    out += kHex[c & 15];
  }
}

// The bytes of the character beyond ASCII that the text begins with; 0 if it is not valid.
size_t valid_character(std::string_view text) {
  size_t valid = internal::valid_utf8_prefix(text.substr(0, 4));
  size_t length = 0;
  while (length < valid && (text[length] & 0x80) != 0) ++length;
  return length;
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

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    if (plain == 0 && static_cast<unsigned char>(text[0]) < 0x80) {
      append_escape(text[0], out);
      plain = 1;
    } else if (plain == 0) {
      size_t length = valid_character(text);
      out += length == 0 ? kReplacement : text.substr(0, length);
      plain = std::max<size_t>(length, 1);
    } else {
      out += text.substr(0, plain);
    }
    text.remove_prefix(plain);
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
