#pragma once

// UTF-8 as defined by Unicode: no overlong forms, no surrogates, nothing above U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::document::internal {

bool valid_utf8(std::string_view text);

// The number of bytes before the first invalid character.
size_t valid_utf8_prefix(std::string_view text);

// Writes a character of at most four bytes and returns its end. Requires a valid code point.
char* write_utf8(uint32_t code_point, char* to);

}  // namespace berth::document::internal
