// Files that are wrong, and what is said of them.

#include "loadgen/parse_workload.h"

#include <gtest/gtest.h>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

class Broken : public testing::TestWithParam<Wrong> {};

TEST_P(Broken, IsSaidWhereAndWhy) {
  const std::vector<std::string> found = faults(head(GetParam().text));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::ValuesIn(wrong_workloads()),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(Parse, FindsSeveralFaultsAtOnce) {
  EXPECT_EQ(faults(head("cluster: {nodes: a, racks: b}\nnamespaces: 5\n")).size(), 3u);
}

TEST(Parse, SaysWhichVersionItReads) {
  EXPECT_EQ(faults("kind: Workload\nname: a\n").at(0),
            "1:1: apiVersion: expected berth/v1, found nothing");
}

TEST(Parse, KnowsTimes) {
  const auto tick = [](const std::string& text) {
    return parsed(head("tick: " + text + "\n")).tick;
  };
  EXPECT_EQ(tick("1h30m"), 5'400'000'000'000);
  EXPECT_EQ(tick("1.5s"), 1'500'000'000);
  EXPECT_EQ(tick("2d"), 172'800'000'000'000);
  EXPECT_EQ(tick("0.000000001s1us"), 1001);
  for (const char* wrong : {"5", "-1s", "1x", "s", "1.s", "1e3s", "99999999d"})
    EXPECT_FALSE(faults(head(std::string("tick: ") + wrong + "\n")).empty()) << wrong;
}

}  // namespace
}  // namespace berth::loadgen
