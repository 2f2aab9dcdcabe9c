#pragma once

// Marks a function that counts bits of words. The compiler builds it with and without the
// instruction for that, and the dynamic linker picks. Off where BERTH_VECTORISE is (vectorise.h),
// for the same reasons.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BERTH_BIT_CLONES __attribute__((target_clones("default", "popcnt")))
#else
#define BERTH_BIT_CLONES
#endif
