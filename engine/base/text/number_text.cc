#include "engine/base/text/number_text.h"

#include <array>
#include <cstdio>

namespace berth {
namespace {

std::string with_unit(double amount, int decimals, const char* unit) {
  constexpr size_t kLongest = 350;  // longer than any double in this notation
  std::array<char, kLongest> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.*f %s", decimals, amount, unit);
  return std::string(text.data(), static_cast<size_t>(size));
}

}  // namespace

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string duration_text(double seconds) {
  // Each unit is used up to the value that would round to 1000.
  if (seconds < 999.5e-9) return with_unit(seconds * 1e9, 0, "ns");
  if (seconds < 999.95e-6) return with_unit(seconds * 1e6, 1, "us");
  if (seconds < 999.995e-3) return with_unit(seconds * 1e3, 2, "ms");
  return with_unit(seconds, 2, "s");
}

}  // namespace berth
