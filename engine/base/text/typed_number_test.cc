#include "engine/base/text/typed_number.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(WholeNumber, TakesDigitsWithinTheBounds) {
  EXPECT_EQ(whole_number_problem("0", 0, 0), std::nullopt);
  EXPECT_EQ(whole_number_problem("18446744073709551615", 0, UINT64_MAX), std::nullopt);
}

TEST(WholeNumber, SaysWhatIsWrong) {
  EXPECT_EQ(whole_number_problem("7x", 1, 9), "expected a whole number from 1 to 9, found \"7x\"");
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1e3", "0", "10", "abc",
                           "18446744073709551616", "99999999999999999999999"})
    EXPECT_NE(whole_number_problem(text, 1, 9), std::nullopt) << text;
}

TEST(Number, TakesWhatIsWithinTheBounds) {
  for (const char* text : {"0.5", "1", "1e1", "10"})
    EXPECT_EQ(number_problem(text, 0.5, 10), std::nullopt);
}

TEST(Number, SaysWhatIsWrong) {
  EXPECT_EQ(number_problem("nan", 1e-3, 1e9),
            "expected a number from 0.001 to 1e+09, found \"nan\"");
  for (const char* text : {"", "inf", "-inf", "-nan", "0.4", "10.1", "1e400", "1x", " 1", "0x1"})
    EXPECT_NE(number_problem(text, 0.5, 10), std::nullopt) << text;
}

}  // namespace
}  // namespace berth
