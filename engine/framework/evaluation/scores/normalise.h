#pragma once

// Normalising of one score, as the ABI defines it (berth/abi/score.h). The kernels of the full
// evaluation compute the same over arrays.

#include <cstdint>

namespace berth::framework {

inline constexpr int64_t kHighestScore = 100;

// Has the highest bit if the score is not in 0..100, so that a loop over many has no branch.
inline uint64_t outside_range(int64_t raw) {
  const auto bits = static_cast<uint64_t>(raw);
  return bits | (static_cast<uint64_t>(kHighestScore) - bits);
}

// The final score f(raw, minimum, maximum), in 0..100. `kind`: one of BERTH_NORMALISE_ except OWN.
// Requires: `raw` is not BERTH_NOT_SCORED, minimum <= raw <= maximum, and the extremes were
// checked.
int64_t normalised(uint32_t kind, int64_t raw, int64_t minimum, int64_t maximum);

}  // namespace berth::framework
