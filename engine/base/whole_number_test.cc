#include "engine/base/whole_number.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(WholeNumber, TakesDigitsWithinTheBounds) {
  EXPECT_EQ(whole_number_problem("0", 0, 0), "");
  EXPECT_EQ(whole_number_problem("18446744073709551615", 0, UINT64_MAX), "");
}

TEST(WholeNumber, SaysWhatIsWrong) {
  EXPECT_EQ(whole_number_problem("7x", 1, 9), "expected a whole number from 1 to 9, found \"7x\"");
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1e3", "0", "10", "abc",
                           "18446744073709551616", "99999999999999999999999"})
    EXPECT_NE(whole_number_problem(text, 1, 9), "") << text;
}

}  // namespace
}  // namespace berth
