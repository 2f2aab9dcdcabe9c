#pragma once

// Lines as klog prints them with structured arguments:
//
//   I1122 14:41:32.123456    4711 decision_log.cc:57] "Attempting to schedule pod" pod="default/a"
//
// Severity, month and day, time (UTC), process id, place in the source, message, key-value pairs.

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::cli {

enum class Severity : char { kInfo = 'I', kError = 'E' };

// A place in the source: that of the caller if it is a default argument. As std::source_location,
// which the libraries of older compilers lack.
struct SourcePlace {
  const char* file;
  int line;
  static constexpr SourcePlace here(const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) {
    return {file, line};
  }
};

// "I1122 14:41:32.123456    4711 decision_log.cc:57] ". `wall`: nanoseconds since 1970.
std::string klog_header(Severity severity, int64_t wall, SourcePlace place);

// The text in quotes, with quotes and backslashes escaped, safe to show on one line.
std::string klog_quoted(std::string_view text);

// Appends one line to `out`, which outlives it; the line ends with the object.
class KlogLine {
 public:
  KlogLine(std::string& out, Severity severity, int64_t wall, std::string_view message,
           SourcePlace place = SourcePlace::here())
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
  // `json` as it is.
  KlogLine& with_json(std::string_view key, std::string_view json) {
    out_ += fmt::format(" {}={}", key, json);
    return *this;
  }

 private:
  std::string& out_;
};

}  // namespace berth::cli
