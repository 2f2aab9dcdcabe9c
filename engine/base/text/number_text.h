#pragma once

// Formats numbers for people.

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth {

// 1234567 becomes "1,234,567".
std::string grouped(uint64_t number);

// A number of things: "1 pod", "2,000 pods". `noun`: of one; an "s" makes it the word for several.
std::string plural(uint64_t number, std::string_view noun);

enum class Unit : uint8_t {
  kNone,     // "1,234"
  kSeconds,  // the unit that fits: "850 ns", "17.3 us", "1.25 ms", "3.1 s"
  kBytes,    // "850 B", "17.3 KiB", "1.25 MiB"
};

// The standard deviation of samples of one figure. NaN if there are fewer than two.
double spread_of(std::span<const double> samples);

// The median, or another value, of samples that vary by `spread`: with the digits that mean
// something, no more. That is up to the place of the spread's first digit, or of its second if the
// first is 1, and at least the value's own first digit. Trailing zeros up to there mean something
// and are kept. A whole number whose samples are all equal (spread 0, without a unit) is exact.
// With an unknown spread (NaN), and for other values with spread 0, it is three digits without
// trailing zeros. bench/report/format.js does the same.
std::string measured_text(double value, double spread = NAN, Unit unit = Unit::kNone);

// Seconds of one measurement: measured_text() with an unknown spread.
inline std::string duration_text(double seconds) {
  return measured_text(seconds, NAN, Unit::kSeconds);
}

}  // namespace berth
