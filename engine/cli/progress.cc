#include "engine/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace berth::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress()
    : shown_(isatty(STDERR_FILENO) != 0), begun_(std::chrono::steady_clock::now()), last_(begun_) {}

void Progress::show(uint64_t decisions) {
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  drawn_ = true;
  double seconds = std::chrono::duration<double>(now - begun_).count();
  fmt::print(stderr, "\r{} pods, {:.0f} a second\x1b[K", decisions,
             static_cast<double>(decisions) / seconds);
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace berth::cli
