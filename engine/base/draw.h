#pragma once

// Random numbers that depend on what they are for and not on how many were drawn before: a draw is
// a hash of (seed, arrival number, attempt, purpose). So threads, caches and skipped pods cannot
// change it.

#include <cstdint>

namespace berth {

enum class Purpose : uint32_t {
  kTieBreak = 1,          // which of the best nodes
  kPreemptionOffset = 2,  // where among the candidates preemption begins
  kLoad = 3,              // what the load generator makes up
  kResample = 4,          // samples of samples, for what is known of a figure
};

// Bijective on 64 bits, with full avalanche (constants of the splitmix64 finaliser).
constexpr uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t draw(uint64_t seed, uint64_t arrival, uint32_t attempt, Purpose purpose) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;
  uint64_t x = mix(seed + kGolden);
  x = mix(x ^ (arrival + kGolden));
  return mix(x ^ ((uint64_t{attempt} << 32 | static_cast<uint32_t>(purpose)) + kGolden));
}

// A number below `bound` (not 0) from one draw. The bias is below bound / 2^64.
constexpr uint64_t below(uint64_t number, uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide(number) * bound) >> 64);
}

}  // namespace berth
