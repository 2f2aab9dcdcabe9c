#pragma once

// Random choices determined by a seed.

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "engine/base/draw.h"

namespace berth::tests {

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}

  uint64_t next() { return draw(seed_, count_++, 0, Purpose::kLoad); }
  // Uniform in [low, high].
  int64_t number(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(next(), static_cast<uint64_t>(high - low) + 1));
  }
  bool chance(int percent) { return number(1, 100) <= percent; }
  template <typename T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(next(), choices.size())];
  }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(next(), choices.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(next(), i)]);
  }

 private:
  uint64_t seed_;
  uint64_t count_ = 0;
};

}  // namespace berth::tests
