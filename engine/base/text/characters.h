#pragma once

namespace berth {

// ASCII alone, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace berth
