#pragma once

// Checks numbers that people typed.

#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

// The error of `text` as a decimal whole number within [low, high]; empty if it is valid.
std::string whole_number_problem(std::string_view text, uint64_t low, uint64_t high);

// The same for a decimal number, with or without exponent. NaN is never within bounds.
std::string number_problem(std::string_view text, double low, double high);

}  // namespace berth
