#pragma once

// Cuts the body of a watch, which comes in parts that end anywhere, into its lines: an event each.
//
//   lines.feed(data);
//   while (const auto line = lines.next()) take(*line);

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::kube {

// One watch, one thread.
class WatchLines {
 public:
  // Bytes of a line. An API server stores objects of at most 1.5 MiB, and JSON may escape them.
  static constexpr size_t kMostBytes = size_t{16} << 20;

  explicit WatchLines(size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  // The data is read by next() until that returns nothing, and has to stay until then.
  // Precondition: next() returned nothing since the last call, and no line was too long.
  void feed(std::string_view data);

  // The next line that is complete, without its line feed. Valid until the next call of a function
  // of this; only lines that began in earlier data are copied. Nothing: more data is needed, or
  // too_long().
  std::optional<std::string_view> next();

  // A line has more than the bytes allowed, so that the rest cannot be cut.
  bool too_long() const { return too_long_; }

 private:
  size_t most_bytes_;
  std::string begun_;      // of a line, from earlier data
  std::string_view data_;  // that next() has not read
  bool joined_ = false;    // begun_ is the line that next() returned
  bool too_long_ = false;
};

}  // namespace berth::kube
