#include "engine/base/text/go_duration.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

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

constexpr int64_t kSecond = 1'000'000'000;

TEST(Duration, ReadsWhatGoReads) {
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("-0"), 0);
  EXPECT_EQ(parse_duration("15s"), 15 * kSecond);
  EXPECT_EQ(parse_duration("+5s"), 5 * kSecond);
  EXPECT_EQ(parse_duration("-1.5s"), -3 * kSecond / 2);
  EXPECT_EQ(parse_duration("1h15m30.918273645s"), (75 * 60 + 30) * kSecond + 918273645);
  EXPECT_EQ(parse_duration(".5s"), kSecond / 2);
  EXPECT_EQ(parse_duration("5.s"), 5 * kSecond);
  EXPECT_EQ(parse_duration("1s1s"), 2 * kSecond);
  EXPECT_EQ(parse_duration("12\u00b5s"), 12'000);
  EXPECT_EQ(parse_duration("12\u03bcs"), 12'000);
  EXPECT_EQ(parse_duration("3ms4us5ns"), 3'004'005);
  EXPECT_EQ(parse_duration("0.9ns"), 0);
  EXPECT_EQ(parse_duration("0.100000000000000000000h"), 6 * 60 * kSecond);
}

TEST(Duration, KnowsItsLimits) {
  EXPECT_EQ(parse_duration("9223372036854775807ns"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(parse_duration("-9223372036854775808ns"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse_duration("9223372036854775808ns"), std::nullopt);
  EXPECT_EQ(parse_duration("-9223372036854775809ns"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036854775.808us"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036s9223372036s"), std::nullopt);
  EXPECT_EQ(parse_duration("3000000h"), std::nullopt);
  EXPECT_EQ(parse_duration("99999999999999999999s"), std::nullopt);
}

TEST(Duration, RefusesTheRest) {
  for (const std::string text : {"", "3", "-", "s", ".", "-.", ".s", "+.s", "1d", "1 s", " 1s",
                                 "1s ", "1S", "1.2.3s", "--1s", "1e3s", "0x1s", "1.5"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace berth
