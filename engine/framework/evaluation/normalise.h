#pragma once

// Normalising of one score, as the ABI defines it. The kernels of the full evaluation do the same
// over arrays.

#include <cstdint>

namespace berth::framework {

inline constexpr int64_t kHighestScore = 100;

// f(raw, minimum, maximum) for the kinds of berth/abi/score.h but the plugin's own. `raw` is
// scored.
int64_t normalised(uint32_t kind, int64_t raw, int64_t minimum, int64_t maximum);

}  // namespace berth::framework
