#pragma once

// Random amounts: integers in some unit (thousandths of a resource, nanoseconds, a count). A draw
// is a pure function of 64 random bits and is the same on every machine.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace berth::loadgen {

// The members that a kind uses are named beside it. Made by parse_distribution(), which checks
// them.
struct Distribution {
  enum class Kind : uint8_t {
    kFixed,        // first
    kUniform,      // from first to second, both inclusive
    kNormal,       // mean first, standard deviation second
    kLogNormal,    // median first; `shape` is the standard deviation of the logarithm
    kPareto,       // minimum first, exponent `shape`
    kExponential,  // mean first
    kEmpirical,    // one of `values`, by weight
  };
  // The largest amount. It is above all amounts that make sense and leaves room for sums.
  static constexpr int64_t kMost = int64_t{1} << 60;

  Kind kind = Kind::kFixed;
  int64_t first = 0;
  int64_t second = 0;
  double shape = 0;
  // Each with the sum of weights up to and including it.
  std::vector<std::pair<int64_t, uint64_t>> values = {};
  // A draw is rounded to the nearest multiple of `step`, then clamped to [lowest, highest].
  int64_t step = 1;
  int64_t lowest = 0;
  int64_t highest = kMost;

  // The amount for 64 random bits, within [lowest, highest].
  int64_t draw(uint64_t bits) const;
  bool fixed() const { return kind == Kind::kFixed; }
};

// Maps 64 random bits to the open interval (0, 1).
double unit_interval(uint64_t bits);

// An exponentially distributed value of mean 1: the time between two events of a Poisson process.
double exponential(uint64_t bits);

}  // namespace berth::loadgen
