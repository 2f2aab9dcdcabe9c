#pragma once

// Text from outside (names, reasons, file names, texts of plugins) made safe to show.
//
// A terminal takes some characters for commands: escape sequences move the cursor, bidirectional
// controls reorder what a reader sees, a line break begins a line that looks like one of ours.
// Every program passes text from outside through printable() before it writes it to a terminal or
// into a line of a message. JSON writers escape the same characters (engine/document/document.h).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace berth {

struct Utf8Character {
  char32_t value = 0;
  size_t bytes = 0;  // 1 to 4; 0: no valid character begins here
};

// The character that `text` begins with, as Unicode defines UTF-8: no overlong form, no surrogate,
// nothing above U+10FFFF. Requires: `text` is not empty.
Utf8Character first_character(std::string_view text);

// False for control characters (C0, DEL, C1), line and paragraph separators, and bidirectional
// controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
bool is_printable(char32_t character);
inline bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7F; }

// `text` on one line: \n, \r and \t for these three, \xNN for other control characters of ASCII and
// for bytes that are not UTF-8, \uNNNN for other characters that are not printable. All else,
// backslashes included, stays as it is, so the result of printable() is not changed by it.
std::string printable(std::string_view text);

// The same in the caller's memory. Returns the number of bytes; what does not fit is left out,
// never a part of a character. Allocates nothing, so the handler of a signal may call it.
size_t printable(std::string_view text, std::span<char> out);

}  // namespace berth
