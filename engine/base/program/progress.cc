#include "engine/base/program/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "engine/base/program/terminal.h"
#include "engine/base/text/printable.h"

namespace berth {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(const std::string& what, std::optional<uint64_t> expected)
    : what_(what.empty() ? "" : what + ": "),
      expected_(expected),
      shown_(can_redraw(STDERR_FILENO)),
      begun_(std::chrono::steady_clock::now()),
      last_(begun_) {}

void Progress::show(uint64_t decisions, const std::string& note) {
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  drawn_ = true;
  double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(decisions) / seconds;
  std::string of, left;
  if (expected_ && *expected_ > decisions) {
    of = fmt::format(" of {}", *expected_);
    left = fmt::format(", {:.0f} s left", static_cast<double>(*expected_ - decisions) / rate);
  }
  std::string line = printable(
      fmt::format("{}{}{} pods, {:.0f} a second{}{}", what_, decisions, of, rate, left, note));
  // A wrapped line could not be overwritten by the next one. If the line is too long, its beginning
  // (the name of the work) is cut off, not the figures.
  const auto width = static_cast<size_t>(terminal_width(STDERR_FILENO) - 1);
  if (line.size() > width) line.erase(0, std::min(what_.size(), line.size() - width));
  line.resize(std::min(line.size(), width));
  fmt::print(stderr, "\r{}\x1b[K", line);
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace berth
