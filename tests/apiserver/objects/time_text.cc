#include "tests/apiserver/objects/time_text.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace berth::apiserver {

using namespace std::chrono;

std::string time_text(Nanoseconds time) {
  const sys_seconds second = floor<seconds>(sys_time<nanoseconds>(nanoseconds(time)));
  const sys_days day = floor<days>(second);
  const year_month_day date(day);
  const hh_mm_ss clock(second - day);
  std::array<char, 64> text;
  const int size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()),
                    unsigned(date.month()), unsigned(date.day()), int(clock.hours().count()),
                    int(clock.minutes().count()), int(clock.seconds().count()));
  return {text.data(), static_cast<size_t>(size)};
}

Nanoseconds parse_time(std::string_view text) {
  int y = 0, h = 0, m = 0, s = 0;
  unsigned month = 0, d = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%4d-%2u-%2uT%2d:%2d:%2dZ", &y, &month, &d, &h, &m, &s) != 6) {
    return 0;
  }
  const sys_days date = year(y) / std::chrono::month(month) / day(d);
  return nanoseconds(date.time_since_epoch() + hours(h) + minutes(m) + seconds(s)).count();
}

}  // namespace berth::apiserver
