#pragma once

// kSanitized: the build has a sanitizer, under which code is ten to a hundred times slower. Tests
// that repeat one thing thousands of times repeat it less often then. BERTH_SANITIZED is defined in
// such a build.

#if defined(__has_feature)
#define BERTH_HAS_FEATURE(name) __has_feature(name)
#else
#define BERTH_HAS_FEATURE(name) 0
#endif

namespace berth {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    BERTH_HAS_FEATURE(address_sanitizer) || BERTH_HAS_FEATURE(thread_sanitizer)
#define BERTH_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace berth

#undef BERTH_HAS_FEATURE
