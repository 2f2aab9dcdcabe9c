#include "tests/apiserver/tables/age.h"

#include "tests/apiserver/objects/time_text.h"

namespace berth::apiserver {
namespace {

// "3m5s"; without the second part if that is 0.
std::string in_units(int64_t major, char major_unit, int64_t minor, char minor_unit) {
  std::string made = std::to_string(major) + major_unit;
  if (minor != 0) made += std::to_string(minor) + minor_unit;
  return made;
}

}  // namespace

std::string duration_text(Nanoseconds duration) {
  constexpr int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour, kYear = 365 * kDay;
  const int64_t seconds = duration / kSecond;
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * kMinute) return in_units(seconds, 's', 0, 's');
  if (seconds < 10 * kMinute) return in_units(seconds / kMinute, 'm', seconds % kMinute, 's');
  if (seconds < 3 * kHour) return in_units(seconds / kMinute, 'm', 0, 's');
  if (seconds < 8 * kHour) return in_units(seconds / kHour, 'h', seconds % kHour / kMinute, 'm');
  if (seconds < 2 * kDay) return in_units(seconds / kHour, 'h', 0, 'm');
  if (seconds < 8 * kDay) return in_units(seconds / kDay, 'd', seconds % kDay / kHour, 'h');
  if (seconds < 2 * kYear) return in_units(seconds / kDay, 'd', 0, 'h');
  const int64_t days = seconds < 8 * kYear ? seconds % kYear / kDay : 0;
  return in_units(seconds / kYear, 'y', days, 'd');
}

std::string age_text(std::string_view time, Nanoseconds now) {
  const Nanoseconds since = parse_time(time);
  return since == 0 ? "<unknown>" : duration_text(now - since);
}

}  // namespace berth::apiserver
