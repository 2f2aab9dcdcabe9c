#pragma once

// Amounts that are drawn: whole numbers of some unit (thousandths of a resource, nanoseconds,
// pieces), each a function of the 64 random bits it is made from, the same on any machine.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace berth::loadgen {

struct Distribution {
  enum class Kind : uint8_t {
    kFixed,        // first
    kUniform,      // from first to second, both included
    kNormal,       // mean first, standard deviation second
    kLogNormal,    // median first, standard deviation of the logarithm `shape`
    kPareto,       // at least first, exponent `shape`
    kExponential,  // mean first
    kEmpirical,    // of `values`, by weight
  };
  // More than any amount that makes sense, and far from where integers end.
  static constexpr int64_t kMost = int64_t{1} << 60;

  Kind kind = Kind::kFixed;
  int64_t first = 0;
  int64_t second = 0;
  double shape = 0;
  std::vector<std::pair<int64_t, uint64_t>> values = {};  // each with the sum of weights up to it
  // What is drawn is brought to the nearest multiple of `step` and then into the bounds.
  int64_t step = 1;
  int64_t lowest = 0;
  int64_t highest = kMost;

  int64_t draw(uint64_t bits) const;
  bool fixed() const { return kind == Kind::kFixed; }
};

// In (0, 1), from 64 random bits.
double unit_interval(uint64_t bits);

// Times between the events of a Poisson process, of mean 1.
double exponential(uint64_t bits);

}  // namespace berth::loadgen
