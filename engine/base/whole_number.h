#pragma once

// Whole numbers as people type them.

#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

// What is wrong with `text` as a number of decimal digits within [low, high]; empty if nothing is.
std::string whole_number_problem(std::string_view text, uint64_t low, uint64_t high);

}  // namespace berth
