#include "engine/document/utf8.h"

#include <simdjson.h>

namespace berth::document::internal {
namespace {

bool in(unsigned char c, unsigned char low, unsigned char high) { return c >= low && c <= high; }

// The length of the valid character that the text begins with, or 0. Requires: a text that is not
// empty.
size_t character_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  auto follow = [&](size_t i) { return in(byte(i), 0x80, 0xbf); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (in(lead, 0xc2, 0xdf)) return follow(1) ? 2 : 0;
  if (in(lead, 0xe0, 0xef)) {
    unsigned char low = lead == 0xe0 ? 0xa0 : 0x80;
    unsigned char high = lead == 0xed ? 0x9f : 0xbf;
    return in(byte(1), low, high) && follow(2) ? 3 : 0;
  }
  if (in(lead, 0xf0, 0xf4)) {
    unsigned char low = lead == 0xf0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xf4 ? 0x8f : 0xbf;
    return in(byte(1), low, high) && follow(2) && follow(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

size_t valid_utf8_prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t length = character_length(text.substr(at, 4));
    if (length == 0) break;
    at += length;
  }
  return at;
}

char* write_utf8(uint32_t code_point, char* to) {
  auto put = [&](uint32_t bits) { *to++ = static_cast<char>(bits); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | code_point >> 6);
    put(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    put(0xe0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else {
    put(0xf0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3f));
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  }
  return to;
}

}  // namespace berth::document::internal
