#include "engine/base/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace berth {
namespace {

TEST(Histogram, OfNothingIsZero) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0u);
  EXPECT_EQ(histogram.maximum(), 0u);
}

TEST(Histogram, KnowsSmallValuesExactly) {
  Histogram histogram;
  for (uint64_t value = 0; value < 32; ++value) histogram.record(value);
  EXPECT_EQ(histogram.quantile(0.5), 15u);
  EXPECT_EQ(histogram.quantile(1.0), 31u);
}

TEST(Histogram, TakesTheLargestValue) {
  Histogram histogram;
  histogram.record(UINT64_MAX);
  EXPECT_EQ(histogram.quantile(0.99), UINT64_MAX);
}

RC_GTEST_PROP(Histogram, QuantilesAreCloseFromAbove, (std::vector<uint32_t> values)) {
  RC_PRE(!values.empty());
  Histogram histogram;
  for (uint64_t value : values) histogram.record(value * value);
  std::sort(values.begin(), values.end());
  for (double fraction : {0.5, 0.9, 0.99, 1.0}) {
    auto rank = static_cast<size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    const uint64_t exact = uint64_t{values[rank - 1]} * values[rank - 1];
    RC_ASSERT(histogram.quantile(fraction) >= exact);
    RC_ASSERT(histogram.quantile(fraction) - exact <= exact / 32);
  }
}

}  // namespace
}  // namespace berth
