#pragma once

#include <cstddef>
#include <string_view>

namespace berth {

// The first characters of a UTF-8 text that fit in that many bytes. Text that is not UTF-8 is cut
// anywhere.
constexpr std::string_view beginning(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t end = bytes;
  // A character has at most three bytes that continue it.
  while (end > 0 && end + 3 > bytes && continues(end)) --end;
  return text.substr(0, end);
}

}  // namespace berth
