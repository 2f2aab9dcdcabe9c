#pragma once

// Assertions about Berth's own invariants. They stay on in release builds and stop the process: a
// scheduler that continues with a broken invariant would bind pods to the wrong nodes.

#include <cstdio>
#include <cstdlib>

namespace berth::internal {

[[noreturn, gnu::cold, gnu::noinline]] inline void assertion_failed(const char* expression,
                                                                    const char* file, int line) {
  std::fprintf(stderr, "berth: bug: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace berth::internal

#define BERTH_ASSERT(expression) \
  ((expression) ? void(0) : ::berth::internal::assertion_failed(#expression, __FILE__, __LINE__))
