#include "engine/controllers/nodes/node_health.h"

#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

const Condition kReady{"Ready", "True", "", "", {}};

TEST(FirstFrom, IsTheNextMultipleOrTheTimeItself) {
  EXPECT_EQ(first_from(10s, 5s), 10s);
  EXPECT_EQ(first_from(11s, 5s), 15s);
  EXPECT_EQ(first_from(11s, 10s, 2s), 12s);
  EXPECT_EQ(first_from(1s, 10s, 2s), 2s);
  EXPECT_EQ(first_from(-1s, 10s, 2s), 2s);
  EXPECT_EQ(first_from(-9s, 10s, 2s), -8s);
}

TEST(LeaseTimes, AreTheStartAndThenEveryTenSeconds) {
  LeaseTimes lease;
  EXPECT_EQ(lease.last(9s), std::nullopt);
  lease.start(15s, 2s);
  EXPECT_EQ(lease.last(15s), 15s);
  EXPECT_EQ(lease.last(21s), 15s);
  EXPECT_EQ(lease.last(22s), 22s);
  EXPECT_EQ(lease.last(41s), 32s);
  lease.stop(33s);
  lease.stop(60s);
  EXPECT_FALSE(lease.run());
  EXPECT_EQ(lease.last(100s), 32s);
}

TEST(NodeHealth, CountsFromTheLookThatFindsARenewal) {
  NodeHealth health;
  health.look(0s, {&kReady, 0s, 0s, 0s});
  health.catch_up(32s);  // it was found at 35 s
  health.look(60s, {&kReady, 0s, 0s, 32s});
  EXPECT_FALSE(health.is_silent(85s, true));
  EXPECT_TRUE(health.is_silent(85s + 1ns, true));
}

TEST(NodeHealth, AnOldRenewalIsNoSignOfLife) {
  NodeHealth health;
  health.look(0s, {&kReady, 0s, 0s, 0s});
  health.look(55s, {&kReady, 0s, 0s, 0s});
  EXPECT_TRUE(health.is_silent(55s, true));
}

TEST(NodeHealth, AHeartbeatForgetsTheLeaseSoThatItCountsOnceMore) {
  NodeHealth health;
  health.look(0s, {&kReady, 0s, 0s, 0s});
  health.look(5s, {&kReady, 3s, 0s, 0s});
  EXPECT_FALSE(health.is_settled());
  health.look(10s, {&kReady, 3s, 0s, 0s});
  EXPECT_TRUE(health.is_settled());
  EXPECT_FALSE(health.is_silent(60s, true));
  EXPECT_TRUE(health.is_silent(61s, true));
}

TEST(NodeHealth, WithoutTheConditionItCountsFromTheCreation) {
  NodeHealth health;
  health.look(35s, {nullptr, {}, 33s, std::nullopt});
  EXPECT_FALSE(health.is_silent(93s, false));
  EXPECT_TRUE(health.is_silent(94s, false));
  health.look(95s, {&kReady, 92s, 33s, std::nullopt});
  EXPECT_FALSE(health.is_silent(145s, true));
}

TEST(NodeHealth, KeepsTheStatusThatCameWithAHeartbeat) {
  NodeHealth health;
  EXPECT_EQ(health.ready(), "");
  health.look(0s, {&kReady, 0s, 0s, 0s});
  const Condition other{"Ready", "False", "", "", {}};
  health.look(5s, {&other, 0s, 0s, 0s});
  EXPECT_EQ(health.ready(), "True");
  health.look(10s, {&other, 7s, 0s, 0s});
  EXPECT_EQ(health.ready(), "False");
  health.set_unknown(7s, 0s);
  health.look(15s, {&other, 7s, 0s, 0s});
  EXPECT_EQ(health.ready(), "Unknown");
}

}  // namespace
}  // namespace berth::controllers
