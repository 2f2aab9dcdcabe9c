#pragma once

// The end of the program for a broken invariant that needs more words than BERTH_ASSERT has.

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace berth {

// Writes `what` to the standard error output and aborts.
[[noreturn]] inline void bug(std::string_view what) {
  std::fprintf(stderr, "berth: bug: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace berth
