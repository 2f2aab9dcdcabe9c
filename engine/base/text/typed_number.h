#pragma once

// Checks numbers that people typed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// The error of `text` as a decimal whole number within [low, high]; nothing if it is valid.
[[nodiscard]] std::optional<std::string> whole_number_problem(std::string_view text, uint64_t low,
                                                              uint64_t high);

// The same for a decimal number, with or without exponent. NaN is never within bounds.
[[nodiscard]] std::optional<std::string> number_problem(std::string_view text, double low,
                                                        double high);

}  // namespace berth
