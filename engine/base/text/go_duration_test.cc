#include "engine/base/text/go_duration.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(GoDuration, PrintsTheUnitsThatGoPrints) {
  EXPECT_EQ(go_duration(0ns), "0s");
  EXPECT_EQ(go_duration(7ns), "7ns");
  EXPECT_EQ(go_duration(1'100ns), "1.1\u00b5s");
  EXPECT_EQ(go_duration(1'500us), "1.5ms");
  EXPECT_EQ(go_duration(3s), "3s");
  EXPECT_EQ(go_duration(2'500ms), "2.5s");
  EXPECT_EQ(go_duration(60s), "1m0s");
  EXPECT_EQ(go_duration(15min), "15m0s");
  EXPECT_EQ(go_duration(3'600'250ms), "1h0m0.25s");
  EXPECT_EQ(go_duration(-90s), "-1m30s");
  EXPECT_EQ(go_duration(std::chrono::nanoseconds(INT64_MIN)), "-2562047h47m16.854775808s");
}

}  // namespace
}  // namespace berth
