#include "engine/base/whole_number.h"

#include <charconv>

namespace berth {

std::string whole_number_problem(std::string_view text, uint64_t low, uint64_t high) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= low && number <= high)
    return {};
  return "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
         ", found \"" + std::string(text) + "\"";
}

}  // namespace berth
