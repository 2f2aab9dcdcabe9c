#pragma once

// Finds out whether several threads are faster than one, by measuring both: which it is depends on
// the machine, on what else runs there, and on the cost of the hooks, so a fixed number of rows
// would be wrong somewhere. Answers do not depend on the choice.
//
// Ranges are told apart by the power of two of their length. Each way is measured once, then the
// faster one is taken; the other one is tried again from time to time.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace berth {

// Belongs to the thread that owns the model.
class SplitTrial {
 public:
  // True if the next range of so many rows is to be split. took() follows.
  bool splits(uint32_t rows) {
    Length& length = of(rows);
    const uint64_t number = length.ranges++;
    if (number < kFirst) return number % 2 != 0;
    const bool faster = length.per_row[1] < length.per_row[0];
    return faster != (number % kTryAgain == 0);
  }
  // A range of so many rows took this time, in nanoseconds.
  void took(uint32_t rows, bool split, uint64_t time) {
    double& mean = of(rows).per_row[split ? 1 : 0];
    const double now = static_cast<double>(time) / rows;
    mean = mean == 0 ? now : mean + (now - mean) / kWeight;
  }

 private:
  static constexpr uint64_t kFirst = 4;       // ranges that are taken in turns
  static constexpr uint64_t kTryAgain = 128;  // ranges until the slower way is tried again
  static constexpr double kWeight = 4;        // of the mean so far against one more range

  struct Length {
    uint64_t ranges = 0;
    std::array<double, 2> per_row{};  // nanoseconds: of one thread, and of several
  };
  Length& of(uint32_t rows) { return lengths_[static_cast<size_t>(std::bit_width(rows))]; }

  std::array<Length, 33> lengths_;
};

}  // namespace berth
