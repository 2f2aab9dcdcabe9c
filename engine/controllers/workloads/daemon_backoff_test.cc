#include "engine/controllers/workloads/daemon_backoff.h"

#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

TEST(DaemonBackoff, DelaysDoubleWhilePodsFailAtOnce) {
  DaemonBackoff backoff;
  EXPECT_EQ(backoff.replaced_at("n", 100s), 100s);
  EXPECT_EQ(backoff.replaced_at("n", 100s), 101s);
  EXPECT_EQ(backoff.replaced_at("n", 101s), 103s);
  EXPECT_EQ(backoff.replaced_at("other", 103s), 103s);
  EXPECT_EQ(backoff.replaced_at("n", 110s), 110s) << "4 s are over";
  EXPECT_EQ(backoff.replaced_at("n", 111s), 119s);
}

TEST(DaemonBackoff, TheyEndAtAQuarterOfAnHour) {
  DaemonBackoff backoff;
  Time at = 0s, before{};
  for (int i = 0; i < 15; ++i) {
    before = at;
    at = backoff.replaced_at("n", at);
  }
  EXPECT_EQ(at - before, 15min);
  EXPECT_EQ(backoff.replaced_at("n", at + 31min), at + 31min);
  EXPECT_EQ(backoff.replaced_at("n", at + 31min), at + 31min + 1s) << "it begins anew";
}

}  // namespace
}  // namespace berth::controllers
