#pragma once

// Numbers as people type them.

#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

// What is wrong with `text` as a number of decimal digits within [low, high]; empty if nothing is.
std::string whole_number_problem(std::string_view text, uint64_t low, uint64_t high);

// The same of a decimal number, which may have an exponent. NaN is within no bounds.
std::string number_problem(std::string_view text, double low, double high);

}  // namespace berth
