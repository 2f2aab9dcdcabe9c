#pragma once

// Draws of a made-up cluster. One seed gives one sequence, on every machine.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/draw.h"

namespace berth::validator {

class Draws {
 public:
  explicit Draws(uint64_t seed) : seed_(seed) {}

  uint64_t number() { return draw(seed_, count_++, 0, Purpose::kPluginCheck); }
  // 0 to bound - 1. Requires bound != 0.
  uint64_t below(uint64_t bound) { return berth::below(number(), bound); }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<uint64_t>(high - low + 1)));
  }
  bool percent(uint64_t chance) { return below(100) < chance; }
  const std::string& one_of(const std::vector<std::string>& words) {
    return words[below(words.size())];
  }

 private:
  uint64_t seed_;
  uint64_t count_ = 0;
};

}  // namespace berth::validator
