#include "engine/config/read/duration.h"

#include <limits>

namespace berth::config {
namespace {

constexpr uint64_t kLimit = uint64_t{1} << 63;  // magnitude of the most negative duration

struct Unit {
  std::string_view name;
  uint64_t nanoseconds;
};

constexpr Unit kUnits[] = {
    {"ns", 1},          {"us", 1'000},        {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},                                            // Greek small letter mu
    {"ms", 1'000'000},  {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

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
  for (const Unit& unit : kUnits) {
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

}  // namespace

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

}  // namespace berth::config
