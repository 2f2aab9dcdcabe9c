#include "engine/base/text/go_duration.h"

#include <cstdint>

#include "engine/base/text/characters.h"

namespace berth {
namespace {

constexpr uint64_t kLimit = uint64_t{1} << 63;  // magnitude of the most negative duration

struct DurationUnit {
  std::string_view name;
  uint64_t nanoseconds;
};

constexpr DurationUnit kUnits[] = {
    {"ns", 1},          {"us", 1'000},        {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},                                            // Greek small letter mu
    {"ms", 1'000'000},  {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};

std::string_view take_while(std::string_view& text, auto predicate) {
  size_t length = 0;
  while (length < text.size() && predicate(text[length])) ++length;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

std::optional<uint64_t> whole_number(std::string_view digits) {
  uint64_t value = 0;
  for (const char digit : digits) {
    if (value > kLimit / 10) return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(digit - '0');
    if (value > kLimit) return std::nullopt;
  }
  return value;
}

// The fraction `digits` of a unit, in nanoseconds. Digits beyond 63 bits are too small to matter.
uint64_t fraction_of(std::string_view digits, uint64_t unit) {
  uint64_t value = 0;
  double scale = 1;
  for (const char digit : digits) {
    if (value > (kLimit - 1) / 10) break;
    const uint64_t next = value * 10 + static_cast<uint64_t>(digit - '0');
    if (next > kLimit) break;
    value = next;
    scale *= 10;
  }
  return static_cast<uint64_t>(static_cast<double>(value) * (static_cast<double>(unit) / scale));
}

std::optional<uint64_t> unit_named(std::string_view name) {
  for (const DurationUnit& unit : kUnits) {
    if (unit.name == name) return unit.nanoseconds;
  }
  return std::nullopt;
}

// Removes one number with its unit from the front and returns it in nanoseconds.
std::optional<uint64_t> take_part(std::string_view& text) {
  const std::string_view whole = take_while(text, is_digit);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_while(text, is_digit);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const auto unit = unit_named(take_while(text, [](char c) { return c != '.' && !is_digit(c); }));
  const auto value = whole_number(whole);
  if (!unit || !value || *value > kLimit / *unit) return std::nullopt;
  const uint64_t sum = *value * *unit + fraction_of(fraction, *unit);  // at most 2^63 plus one unit
  if (sum > kLimit) return std::nullopt;
  return sum;
}

// `value` units of a fraction of 10^-digits, without trailing zeros: 1500 with 3 digits is "1.5".
std::string decimal(uint64_t value, int digits) {
  uint64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  std::string text = std::to_string(value / scale);
  std::string fraction = std::to_string(value % scale);
  fraction.insert(0, static_cast<size_t>(digits) - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

}  // namespace

std::string go_duration(std::chrono::nanoseconds duration) {
  constexpr uint64_t kMicro = 1'000, kMilli = 1'000'000, kSecond = 1'000'000'000;
  const int64_t count = duration.count();
  if (count == 0) return "0s";
  const std::string sign = count < 0 ? "-" : "";
  const uint64_t all =
      count < 0 ? uint64_t{0} - static_cast<uint64_t>(count) : static_cast<uint64_t>(count);
  if (all < kMicro) return sign + std::to_string(all) + "ns";
  if (all < kMilli) return sign + decimal(all, 3) + "\u00b5s";
  if (all < kSecond) return sign + decimal(all, 6) + "ms";
  const uint64_t minutes = all / kSecond / 60;
  std::string text = decimal(all - minutes * 60 * kSecond, 9) + "s";
  if (minutes != 0) text.insert(0, std::to_string(minutes % 60) + "m");
  if (minutes >= 60) text.insert(0, std::to_string(minutes / 60) + "h");
  return sign + text;
}

std::optional<int64_t> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  uint64_t sum = 0;
  while (!text.empty()) {
    const auto part = take_part(text);
    if (!part || *part > kLimit - sum) return std::nullopt;
    sum += *part;
  }
  if (negative) return static_cast<int64_t>(0 - sum);
  if (sum == kLimit) return std::nullopt;
  return static_cast<int64_t>(sum);
}

}  // namespace berth
