#pragma once

// Assertions of Berth's own invariants. They stay on in release builds: a scheduler that goes on
// with a broken invariant hands out wrong placements, so a false assertion stops the process.

#include <cstdio>
#include <cstdlib>

namespace berth::internal {

[[noreturn]] inline void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "berth: bug: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace berth::internal

#define BERTH_ASSERT(expression) \
  ((expression) ? void(0) : ::berth::internal::assertion_failed(#expression, __FILE__, __LINE__))
