#include "engine/base/text/go_duration.h"

#include <cstdint>

namespace berth {
namespace {

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

}  // namespace berth
