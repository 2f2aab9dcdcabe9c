#include "engine/document/utf8.h"

#include <simdjson.h>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"

namespace berth::document::internal {
bool valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

size_t valid_utf8_prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t length = first_character(text.substr(at)).bytes;
    if (length == 0) break;
    at += length;
  }
  return at;
}

char* write_utf8(uint32_t code_point, char* to) {
  BERTH_ASSERT(code_point <= 0x10ffff);
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
