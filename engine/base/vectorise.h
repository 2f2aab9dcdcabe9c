#pragma once

// Marks a function with a loop over columns. The compiler builds it for each of these instruction
// sets, and the dynamic linker picks the best one that the processor supports. Off with sanitizers,
// whose runtime is not initialised when the linker picks, and with clang 14, which lacks these
// targets.
//
// Clones rather than intrinsics or a library of them: the compiler vectorises plain loops over
// columns, which stay readable as their own reference and need no code for each instruction set.
//
// A build may define the macro itself: tests compile these loops for one set after the other, so
// that each is compared with its definition and not just the one that the linker picks.
#if defined(BERTH_VECTORISE)
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BERTH_VECTORISE \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BERTH_VECTORISE
#endif
