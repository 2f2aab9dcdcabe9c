#include "engine/base/text/time_text.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(TimeText, IsInUtcAndRoundedDown) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(1'709'209'805'999'999'999), "2024-02-29T12:30:05Z");
  EXPECT_EQ(micro_time_text(0), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(micro_time_text(-1), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(micro_time_text(1'709'209'805'000'042'999), "2024-02-29T12:30:05.000042Z");
}

}  // namespace
}  // namespace berth
