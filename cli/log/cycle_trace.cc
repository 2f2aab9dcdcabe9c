#include "cli/log/cycle_trace.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "engine/base/text/go_duration.h"

namespace berth::cli {
namespace {

int64_t milliseconds(Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::tm utc(Time wall) {
  const std::time_t seconds = milliseconds(wall) / 1000;
  std::tm date{};
  ::gmtime_r(&seconds, &date);
  return date;
}

// "14:41:32.123"
std::string time_text(Time wall) {
  return fmt::format("{:%H:%M:%S}.{:03}", utc(wall), milliseconds(wall) % 1000);
}

}  // namespace

std::string CycleTrace::end(Time now, uint64_t number, const std::string& fields,
                            bool every_step) const {
  const Time total = now - begun_;
  if (total < kLong) return {};
  const Time share = kLong / (steps_.size() + 1);
  std::string text =
      fmt::format("Trace[{}]: \"Scheduling\" {} ({:%d-%b-%Y} {}) (total time: {}ms):\n", number,
                  fields, utc(begun_), time_text(begun_), milliseconds(total));
  Time last = begun_;
  for (const Step& step : steps_) {
    const Time took = step.at - last;
    last = step.at;
    if (took < share && !every_step) continue;
    text += fmt::format("Trace[{}]: ---\"{}\" {}ms ({})\n", number, step.name, milliseconds(took),
                        time_text(step.at));
  }
  const std::string duration = go_duration(total);
  return text + fmt::format("Trace[{}]: [{}] [{}] END\n", number, duration, duration);
}

}  // namespace berth::cli
