#include "engine/base/text/typed_number.h"

#include <array>
#include <charconv>

#include "engine/base/text/printable.h"

namespace berth {

std::optional<std::string> whole_number_problem(std::string_view text, uint64_t low,
                                                uint64_t high) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= low && number <= high)
    return std::nullopt;
  return "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
         ", found \"" + printable(text) + "\"";
}

std::optional<std::string> number_problem(std::string_view text, double low, double high) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= low && number <= high)
    return std::nullopt;
  const auto shown = [](double bound) {
    std::array<char, 32> digits{};
    return std::string(digits.data(),
                       std::to_chars(digits.data(), digits.data() + digits.size(), bound).ptr);
  };
  return "expected a number from " + shown(low) + " to " + shown(high) + ", found \"" +
         printable(text) + "\"";
}

}  // namespace berth
