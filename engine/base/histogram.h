#pragma once

// A histogram whose bucket width grows with the value: each power of two is divided into
// 2^kSplitBits buckets of equal width, so a quantile is off by less than 1 / 2^kSplitBits of its
// value. record() does not allocate. Not thread-safe.

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth {

class Histogram {
 public:
  // Adds a value, in any unit.
  void record(uint64_t value) {
    ++counts_[bucket(value)];
    ++count_;
    sum_ += static_cast<double>(value);
    if (value > maximum_) maximum_ = value;
    if (value < minimum_) minimum_ = value;
  }

  // Number of recorded values, and the largest, the smallest and the mean of them, all exact; 0 if
  // the histogram is empty.
  uint64_t count() const { return count_; }
  uint64_t maximum() const { return maximum_; }
  // An upper bound of the `fraction` (0..1) quantile: the highest value of the bucket that contains
  // it, but at most maximum(). 0 if the histogram is empty.
  uint64_t quantile(double fraction) const;
  uint64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  // The non-empty buckets in ascending order: highest value of the bucket, number of values in it.
  std::vector<std::pair<uint64_t, uint64_t>> buckets() const;

 private:
  static constexpr uint32_t kSplitBits = 5;
  static constexpr uint32_t kSplits = 1u << kSplitBits;
  static constexpr uint32_t kBuckets = (64 - kSplitBits + 1) * kSplits;

  // Each value below kSplits has a bucket of its own.
  static uint32_t bucket(uint64_t value) {
    if (value < kSplits) return static_cast<uint32_t>(value);
    const auto shift = static_cast<uint32_t>(std::bit_width(value)) - kSplitBits - 1;
    return shift * kSplits + static_cast<uint32_t>(value >> shift);
  }
  static uint64_t highest(uint32_t bucket);

  std::array<uint64_t, kBuckets> counts_{};
  uint64_t count_ = 0;
  uint64_t maximum_ = 0;
  uint64_t minimum_ = UINT64_MAX;
  double sum_ = 0;
};

}  // namespace berth
