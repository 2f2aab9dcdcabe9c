#include "engine/kube/writes/body.h"

#include <fmt/format.h>

#include <chrono>

namespace berth::kube {

std::string seconds_text(int64_t nanoseconds) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::nanoseconds> at{chrono::nanoseconds(nanoseconds)};
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(chrono::floor<chrono::seconds>(at - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

std::string micros_text(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t rest = (nanoseconds % kSecond + kSecond) % kSecond;
  std::string text = seconds_text(nanoseconds);
  text.pop_back();
  return text + fmt::format(".{:06}Z", rest / 1000);
}

std::string_view beginning(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t end = bytes;
  // A character has at most three bytes that continue it; text that is not UTF-8 is cut anywhere.
  while (end > 0 && end + 3 > bytes && continues(end)) --end;
  return text.substr(0, end);
}

}  // namespace berth::kube
