#include "engine/base/text/base64.h"

#include <cstdint>

namespace berth {

std::optional<std::string> base64_bytes(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const size_t digit = kDigits.find(c);
    const bool pads = c == '=' && digits % 4 >= 2;
    if ((digit == std::string_view::npos && !pads) || (padding != 0 && !pads)) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(pads ? 0 : digit);
    padding += pads;
    if (++digits % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(bits >> shift & 0xff));
  }
  if (digits % 4 != 0) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace berth
