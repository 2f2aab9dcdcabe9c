#pragma once

// In front of a function with a loop over columns: it is built for each of these instruction sets,
// and the best that the processor has is called. Not with sanitizers, whose run-time is not up yet
// when the choice is made at load; nor with clang 14, which lacks these targets.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BERTH_VECTORISE \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BERTH_VECTORISE
#endif
