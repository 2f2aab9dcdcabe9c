#include "engine/base/text/number_text.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(NumberText, GroupsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(NumberText, ChoosesTheUnit) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(850e-9), "850 ns");
  EXPECT_EQ(duration_text(17.32e-6), "17.3 us");
  EXPECT_EQ(duration_text(1.254e-3), "1.25 ms");
  EXPECT_EQ(duration_text(3.1), "3.10 s");
  EXPECT_EQ(duration_text(3600), "3600.00 s");
}

// 999.96 us is not "1000.0 us".
TEST(NumberText, RoundsIntoTheNextUnit) {
  EXPECT_EQ(duration_text(999.7e-9), "1.0 us");
  EXPECT_EQ(duration_text(999.96e-6), "1.00 ms");
  EXPECT_EQ(duration_text(999.996e-3), "1.00 s");
}

}  // namespace
}  // namespace berth
