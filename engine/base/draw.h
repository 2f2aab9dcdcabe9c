#pragma once

// Random numbers as a function of their use instead of a sequence: a draw is a hash of (seed,
// arrival number, attempt, purpose). The number of earlier draws does not matter, so threads,
// caches and skipped pods cannot change a decision.

#include <cstdint>

namespace berth {

// The use of a draw. A value is part of every hash, so it must not be changed or used again.
enum class Purpose : uint32_t {
  kTieBreak = 1,          // picks among the nodes with the best score
  kPreemptionOffset = 2,  // picks the first candidate of preemption
  kLoad = 3,              // values of generated load
  kResample = 4,          // bootstrap samples of measurements
  kVerification = 5,      // picks the decision of a stretch that is verified
  kProvisioning = 6,      // fails the provisioning of a volume; picks its topology
  kPluginCheck = 7,       // clusters and garbage for checks of plugins
  kPluginRandom = 8,      // random numbers of plugins
  kApiClient = 9,         // waits of a client of an API server
};

// A bijection of 64-bit numbers with full avalanche (the constants of splitmix64's finaliser).
constexpr uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The random number for this use: equal arguments give equal numbers. `arrival`: the pod's arrival
// number. `attempt`: 0 for the first scheduling attempt.
constexpr uint64_t draw(uint64_t seed, uint64_t arrival, uint32_t attempt, Purpose purpose) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;
  uint64_t x = mix(seed + kGolden);
  x = mix(x ^ (arrival + kGolden));
  return mix(x ^ ((uint64_t{attempt} << 32 | static_cast<uint32_t>(purpose)) + kGolden));
}

// Maps a draw to 0 .. bound - 1. Requires bound != 0. The bias is below bound / 2^64.
constexpr uint64_t below(uint64_t number, uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide(number) * bound) >> 64);
}

}  // namespace berth
