#include "engine/base/text/number_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace berth {
namespace {

// Of the value: less is the rounding error of sums over samples that are equal. Times that are
// counted in a processor's cycles differ by how well the length of a cycle is known.
constexpr double kLeastSpread = 1e-9, kLeastSpreadOfTimes = 1e-4;
constexpr int kUsualDigits = 3;  // without a known spread
constexpr int kMostDigits = 12;

struct Scale {
  double size;
  const char* name;  // empty: none
};
constexpr std::array kNone = {Scale{1, ""}};
constexpr std::array kSeconds = {Scale{1, " s"}, Scale{1e-3, " ms"}, Scale{1e-6, " us"},
                                 Scale{1e-9, " ns"}};
constexpr std::array kBytes = {Scale{0x1p40, " TiB"}, Scale{0x1p30, " GiB"}, Scale{0x1p20, " MiB"},
                               Scale{0x1p10, " KiB"}, Scale{1, " B"}};

std::span<const Scale> scales_of(Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return kNone;
    case Unit::kSeconds:
      return kSeconds;
    case Unit::kBytes:
      return kBytes;
  }
  return kNone;
}

// The largest unit of which the value is at least one, also after it is rounded.
Scale scale_for(double value, Unit unit) {
  constexpr double kAlmost = 0.9995;
  const std::span<const Scale> scales = scales_of(unit);
  if (value == 0) return unit == Unit::kBytes ? scales.back() : scales.front();
  for (const Scale& scale : scales)
    if (std::abs(value) >= scale.size * kAlmost) return scale;
  return scales.back();
}

int first_place(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// The place of the last digit that means something: 0 is that of ones, 3 that of thousands.
// Requires a value that is not 0 and a spread above 0.
int last_place(double value, double spread) {
  int place = first_place(spread);
  if (spread < 2 * std::pow(10, place)) --place;
  const int first = first_place(value);
  return std::clamp(place, first - kMostDigits + 1, first);
}

// With commas between thousands.
std::string with_decimals(double value, int decimals) {
  constexpr size_t kLongest = 350;  // longer than any double in this notation
  std::array<char, kLongest> made{};
  std::snprintf(made.data(), made.size(), "%.*f", decimals, value);
  std::string text(made.data());
  const size_t begin = text.front() == '-' ? 1 : 0;
  for (size_t i = std::min(text.find('.'), text.size()); i > begin + 3; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

std::string rounded(double value, int place) {
  if (place <= 0) return with_decimals(value, -place);
  const double step = std::pow(10, place);
  return with_decimals(std::round(value / step) * step, 0);
}

std::string with_usual_digits(double value) {
  if (value == 0) return "0";
  std::string text = rounded(value, first_place(value) - kUsualDigits + 1);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string plural(uint64_t number, std::string_view noun) {
  return grouped(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

double spread_of(std::span<const double> samples) {
  if (samples.size() < 2) return NAN;
  double sum = 0, squares = 0;
  for (const double value : samples) sum += value;
  const double mean = sum / static_cast<double>(samples.size());
  for (const double value : samples) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

std::string measured_text(double value, double spread, Unit unit) {
  const double least = unit == Unit::kSeconds ? kLeastSpreadOfTimes : kLeastSpread;
  if (std::abs(spread) < least * std::abs(value)) spread = 0;
  const Scale scale = scale_for(value, unit);
  const double scaled = value / scale.size;
  std::string text;
  if (spread == 0 && unit == Unit::kNone && value == std::round(value))
    text = with_decimals(value, 0);
  else if (spread > 0 && value != 0)
    text = rounded(scaled, last_place(scaled, spread / scale.size));
  else
    text = with_usual_digits(scaled);
  return text + scale.name;
}

}  // namespace berth
