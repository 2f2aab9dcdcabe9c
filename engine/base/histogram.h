#pragma once

// Counts of values in buckets that grow with the value: each power of two is parted into equal
// ones, so a quantile is off by less than 1 / 2^kSplitBits of itself. Recording allocates nothing.

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth {

class Histogram {
 public:
  void record(uint64_t value) {
    ++counts_[bucket(value)];
    ++count_;
    sum_ += static_cast<double>(value);
    if (value > maximum_) maximum_ = value;
    if (value < minimum_) minimum_ = value;
  }

  uint64_t count() const { return count_; }
  uint64_t maximum() const { return maximum_; }
  // The highest value of the bucket in which the `fraction` (0..1) of the values ends, never above
  // the maximum; 0 if there are none.
  uint64_t quantile(double fraction) const;
  uint64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  // Buckets that hold something, ascending: the highest value of each, and how many there are.
  std::vector<std::pair<uint64_t, uint64_t>> buckets() const;

 private:
  static constexpr uint32_t kSplitBits = 5;
  static constexpr uint32_t kSplits = 1u << kSplitBits;
  static constexpr uint32_t kBuckets = (64 - kSplitBits + 1) * kSplits;

  // Values below kSplits have a bucket each.
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
