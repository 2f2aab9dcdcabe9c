#pragma once

// Lines as klog prints them with structured arguments:
//
//   I1122 14:41:32.123456    4711 decision_log.cc:57] "Attempting to schedule pod" pod="default/a"
//
// Severity, month and day, time (UTC), process id, place in the source, message, key-value pairs.

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

namespace berth::cli {

enum class Severity : char { kInfo = 'I', kError = 'E' };

// "I1122 14:41:32.123456    4711 decision_log.cc:57] ". `wall`: nanoseconds since 1970.
std::string klog_header(Severity severity, int64_t wall, const std::source_location& place);

// The text in quotes, with quotes and backslashes escaped, safe to show on one line.
std::string klog_quoted(std::string_view text);

// Appends one line to `out`, which outlives it; the line ends with the object.
class KlogLine {
 public:
  KlogLine(std::string& out, Severity severity, int64_t wall, std::string_view message,
           const std::source_location& place = std::source_location::current())
      : out_(out) {
    out_ += klog_header(severity, wall, place);
    out_ += klog_quoted(message);
  }
  KlogLine(const KlogLine&) = delete;
  KlogLine& operator=(const KlogLine&) = delete;
  ~KlogLine() { out_ += '\n'; }

  KlogLine& with(std::string_view key, std::string_view value) {
    out_ += fmt::format(" {}={}", key, klog_quoted(value));
    return *this;
  }
  KlogLine& with(std::string_view key, std::integral auto value) {
    out_ += fmt::format(" {}={}", key, value);
    return *this;
  }

 private:
  std::string& out_;
};

}  // namespace berth::cli
