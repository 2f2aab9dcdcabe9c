#include "cli/log/klog_line.h"

#include <unistd.h>

#include <ctime>

#include "engine/base/text/printable.h"

namespace berth::cli {

std::string klog_header(Severity severity, int64_t wall, SourcePlace place) {
  constexpr int64_t kSecond = 1'000'000'000;
  const std::time_t seconds = wall / kSecond;
  std::tm date{};
  ::gmtime_r(&seconds, &date);
  std::string_view file = place.file;
  file.remove_prefix(file.rfind('/') + 1);
  return fmt::format("{}{:02}{:02} {:02}:{:02}:{:02}.{:06} {:7} {}:{}] ",
                     static_cast<char>(severity), date.tm_mon + 1, date.tm_mday, date.tm_hour,
                     date.tm_min, date.tm_sec, wall % kSecond / 1000, ::getpid(), file, place.line);
}

std::string klog_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return printable(quoted) + '"';
}

}  // namespace berth::cli
