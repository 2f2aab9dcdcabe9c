#include "engine/base/text/time_text.h"

#include <chrono>

namespace berth {
namespace {

// The number with zeros in front. Requires 0 <= number < 10^digits.
std::string with_zeros(int64_t number, size_t digits) {
  std::string text = std::to_string(number);
  return text.insert(0, digits - text.size(), '0');
}

// Without the final Z.
std::string seconds_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return with_zeros(int{date.year()}, 4) + "-" + with_zeros(unsigned{date.month()}, 2) + "-" +
         with_zeros(unsigned{date.day()}, 2) + "T" + with_zeros(clock.hours().count(), 2) + ":" +
         with_zeros(clock.minutes().count(), 2) + ":" + with_zeros(clock.seconds().count(), 2);
}

}  // namespace

std::string time_text(int64_t wall) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(wall)};
  return seconds_text(std::chrono::floor<std::chrono::seconds>(time)) + "Z";
}

std::string micro_time_text(int64_t wall) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(wall)};
  const auto micros = std::chrono::floor<std::chrono::microseconds>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(micros);
  return seconds_text(seconds) + "." + with_zeros((micros - seconds).count(), 6) + "Z";
}

}  // namespace berth
