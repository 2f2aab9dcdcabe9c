#include "bench/macro/measure/figures/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/draw.h"

namespace berth::bench {
namespace {

constexpr size_t kMostForExact = 20;
constexpr uint32_t kResamples = 10'000;
constexpr double kTail = 0.025;

// Twice the sum of the ranks of `a` among all values. Ranks of ties can be halves; the factor keeps
// the sum an integer.
uint64_t doubled_rank_sum(const std::vector<double>& a, const std::vector<double>& b) {
  uint64_t sum = 0;
  for (double value : a) {
    uint64_t below = 0, equal = 0;
    for (const auto* side : {&a, &b})
      for (double other : *side) {
        below += other < value;
        equal += other == value;
      }
    sum += 2 * below + equal + 1;
  }
  return sum;
}

// For each value of U, the number of ways to pick n of n + m ranks that give it.
std::vector<double> ways(size_t n, size_t m) {
  // counts[k][u]: number of ways with k ranks picked so far.
  std::vector<std::vector<double>> counts(n + 1, std::vector<double>(n * m + 1));
  counts[0][0] = 1;
  for (size_t rank = 0; rank < n + m; ++rank)
    for (size_t k = std::min(n, rank + 1); k >= 1; --k) {
      // Picking this rank as the k-th adds the number of lower ranks on the other side.
      const size_t above = rank + 1 - k;
      if (above > m) continue;
      for (size_t u = n * m + 1; u-- > above;) counts[k][u] += counts[k - 1][u - above];
    }
  return counts[n];
}

double exact_p(size_t n, size_t m, uint64_t u) {
  const std::vector<double> counts = ways(n, m);
  const uint64_t low = std::min<uint64_t>(u, n * m - u);
  double tail = 0, all = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    all += counts[i];
    if (i <= low) tail += counts[i];
  }
  return std::min(1.0, 2 * tail / all);
}

// Sum of size^3 - size over groups of equal values.
double ties(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end] == all[i]) ++end;
    const auto size = static_cast<double>(end - i);
    sum += size * size * size - size;
    i = end;
  }
  return sum;
}

double normal_p(double n, double m, double u, double tied) {
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - tied / (all * (all - 1)));
  if (variance <= 0) return 1;
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return std::erfc(distance / std::sqrt(variance) / std::sqrt(2.0));
}

double resampled_median(const std::vector<double>& values, uint64_t resample, uint32_t side) {
  std::vector<double> drawn(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t number = draw(resample, i, side, Purpose::kResample);
    drawn[i] = values[below(number, values.size())];
  }
  return median(std::move(drawn));
}

}  // namespace

double median(std::vector<double> values) {
  const size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double variation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  if (mean == 0) return 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1)) / std::abs(mean);
}

double least_p(size_t a, size_t b) {
  std::vector<double> low(a), high(b);
  for (size_t i = 0; i < a; ++i) low[i] = static_cast<double>(i);
  for (size_t i = 0; i < b; ++i) high[i] = static_cast<double>(a + i);
  return p_of_same(low, high);
}

double p_of_same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const uint64_t doubled = doubled_rank_sum(a, b) - a.size() * (a.size() + 1);
  const double tied = ties(std::move(all));
  if (tied == 0 && a.size() <= kMostForExact && b.size() <= kMostForExact)
    return exact_p(a.size(), b.size(), doubled / 2);
  return normal_p(static_cast<double>(a.size()), static_cast<double>(b.size()),
                  static_cast<double>(doubled) / 2, tied);
}

Interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (uint32_t i = 0; i < kResamples; ++i) {
    const double under = resampled_median(a, i, 0);
    if (under != 0) ratios.push_back(resampled_median(b, i, 1) / under);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double part) {
    return ratios[static_cast<size_t>(part * static_cast<double>(ratios.size() - 1))];
  };
  return {at(kTail), at(1 - kTail)};
}

}  // namespace berth::bench
