#pragma once

// ASCII alone, whatever the locale.

#include <algorithm>
#include <string>
#include <string_view>

namespace berth {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Digits alone, and at least one.
constexpr bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = lower(c);
  return made;
}
constexpr bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace berth
