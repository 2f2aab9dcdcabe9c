#include "engine/controllers/conditions.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

TEST(Conditions, TheTransitionStaysWhileTheStatusDoes) {
  std::vector<Condition> all;
  EXPECT_TRUE(put(all, {"Ready", "True", "a", "", 1s}));
  EXPECT_TRUE(put(all, {"Ready", "True", "b", "", 2s}));
  EXPECT_EQ(find(all, "Ready")->transition, 1s);
  EXPECT_EQ(find(all, "Ready")->reason, "b");
  EXPECT_TRUE(put(all, {"Ready", "False", "b", "", 3s}));
  EXPECT_EQ(find(all, "Ready")->transition, 3s);
}

TEST(Conditions, WhatSaysTheSameChangesNothing) {
  std::vector<Condition> all;
  put(all, {"Ready", "True", "a", "m", 1s});
  EXPECT_FALSE(put(all, {"Ready", "True", "a", "m", 2s}));
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(find(all, "DisruptionTarget"), nullptr);
}

}  // namespace
}  // namespace berth::controllers
