#pragma once

// UTF-8, as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace berth::document::internal {

bool valid_utf8(std::string_view text);

// The bytes up to the first that is not part of a valid character.
size_t valid_utf8_prefix(std::string_view text);

// Writes a character and returns the end of it: at most four bytes. Requires: a valid code point.
char* write_utf8(uint32_t code_point, char* to);

}  // namespace berth::document::internal
