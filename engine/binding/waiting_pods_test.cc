#include "engine/binding/waiting_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::binding {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

struct WaitingPodsTest : testing::Test {
  static model::PodId pod(uint32_t number) { return {number, 1}; }
  void hold(uint32_t number, std::vector<Hold> holds, Time now = {}) {
    waiting.hold(pod(number), profile, std::move(holds), now);
  }
  // Pods are named by their numbers from 9 down, so that the order of names is not that of waiting.
  void expire(Time now) {
    const auto name = [](model::PodId id) { return std::to_string(9 - id.index); };
    while (waiting.expire(now, name)) {
    }
  }
  // "NUMBER allowed" or "NUMBER PLUGIN: MESSAGE", in the order of release.
  std::vector<std::string> released() {
    std::vector<std::string> all;
    while (const std::optional<Released> one = waiting.take_released())
      all.push_back(std::to_string(one->pod.index) +
                    (one->allowed ? " allowed" : " " + one->plugin + ": " + one->message));
    return all;
  }

  model::Cluster cluster;
  framework::Profile profile{framework::ProfilePlan{}, std::span<const framework::PluginHooks>{},
                             cluster};
  WaitingPods waiting;
};

TEST_F(WaitingPodsTest, APodGoesOnWhenAllPluginsThatHoldItHaveAllowedIt) {
  hold(1, {{"A", seconds(5)}, {"B", seconds(5)}});
  EXPECT_TRUE(waiting.allow(pod(1), "B"));
  EXPECT_THAT(released(), IsEmpty());
  EXPECT_TRUE(waiting.allow(pod(1), "A"));
  EXPECT_THAT(released(), ElementsAre("1 allowed"));
  EXPECT_FALSE(waiting.contains(pod(1)));
}

TEST_F(WaitingPodsTest, APluginThatDoesNotHoldThePodAllowsNothing) {
  hold(1, {{"A", seconds(5)}});
  EXPECT_FALSE(waiting.allow(pod(1), "B"));
  EXPECT_FALSE(waiting.allow(pod(2), "A"));
  EXPECT_THAT(released(), IsEmpty());
  EXPECT_TRUE(waiting.contains(pod(1)));
}

TEST_F(WaitingPodsTest, AnyPluginMayRefuse) {
  hold(1, {{"A", seconds(5)}});
  EXPECT_TRUE(waiting.reject(pod(1), "B", "no room"));
  EXPECT_THAT(released(), ElementsAre("1 B: no room"));
}

TEST_F(WaitingPodsTest, TheFirstAnswerCounts) {
  hold(1, {{"A", seconds(5)}});
  hold(2, {{"A", seconds(5)}});
  EXPECT_TRUE(waiting.allow(pod(1), "A"));
  EXPECT_FALSE(waiting.reject(pod(1), "B", "late"));
  EXPECT_TRUE(waiting.reject(pod(2), "B", "early"));
  EXPECT_FALSE(waiting.allow(pod(2), "A"));
  expire(seconds(60));
  EXPECT_THAT(released(), ElementsAre("1 allowed", "2 B: early"));
}

TEST_F(WaitingPodsTest, APreemptionIsNoRefusal) {
  hold(1, {{"A", seconds(5)}});
  hold(2, {{"A", seconds(5)}});
  EXPECT_TRUE(waiting.preempt(pod(1), "B", "preempted"));
  EXPECT_FALSE(waiting.preempt(pod(1), "B", "preempted"));
  EXPECT_TRUE(waiting.allow(pod(2), "A"));
  EXPECT_FALSE(waiting.preempt(pod(2), "B", "late"));
  const auto first = waiting.take_released();
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->failed);
  EXPECT_FALSE(first->allowed);
  EXPECT_EQ(first->plugin + ": " + first->message, "B: preempted");
  EXPECT_TRUE(waiting.take_released()->allowed);
}

TEST_F(WaitingPodsTest, AReleasedPodWaitsUntilItIsTaken) {
  hold(1, {{"A", seconds(5)}});
  hold(2, {{"A", seconds(5)}});
  waiting.allow(pod(2), "A");
  EXPECT_TRUE(waiting.has_released());
  EXPECT_THAT(waiting.pods(), ElementsAre(pod(1), pod(2)));
  released();
  EXPECT_FALSE(waiting.has_released());
  EXPECT_THAT(waiting.pods(), ElementsAre(pod(1)));
}

TEST_F(WaitingPodsTest, PodsAreReleasedInTheOrderOfTheAnswers) {
  for (uint32_t number : {1u, 2u, 3u}) hold(number, {{"A", seconds(5)}});
  waiting.allow(pod(3), "A");
  waiting.reject(pod(1), "A", "no");
  waiting.allow(pod(2), "A");
  EXPECT_THAT(released(), ElementsAre("3 allowed", "1 A: no", "2 allowed"));
}

TEST_F(WaitingPodsTest, TheFirstTimerThatFiresRefuses) {
  hold(1, {{"A", seconds(63)}, {"B", seconds(3)}}, seconds(10));
  EXPECT_EQ(waiting.next_timeout(), seconds(13));
  expire(seconds(13) - Time(1));
  EXPECT_THAT(released(), IsEmpty());
  expire(seconds(13));
  EXPECT_THAT(released(), ElementsAre("1 B: rejected due to timeout after waiting 3s at plugin B"));
  EXPECT_EQ(waiting.next_timeout(), std::nullopt);
}

TEST_F(WaitingPodsTest, AnAllowStopsItsOwnTimerOnly) {
  hold(1, {{"A", seconds(63)}, {"B", seconds(3)}});
  waiting.allow(pod(1), "B");
  EXPECT_EQ(waiting.next_timeout(), seconds(63));
  expire(seconds(63));
  EXPECT_THAT(released(),
              ElementsAre("1 A: rejected due to timeout after waiting 1m3s at plugin A"));
}

TEST_F(WaitingPodsTest, TimersFireInOrderOfTimeThenNameThenPlugin) {
  hold(1, {{"B", seconds(2)}, {"A", seconds(2)}});
  hold(2, {{"A", seconds(2)}});
  hold(3, {{"A", seconds(1)}});
  expire(seconds(2));
  EXPECT_THAT(released(), ElementsAre("3 A: rejected due to timeout after waiting 1s at plugin A",
                                      "2 A: rejected due to timeout after waiting 2s at plugin A",
                                      "1 A: rejected due to timeout after waiting 2s at plugin A"));
}

TEST_F(WaitingPodsTest, NoPodWaitsForMoreThanFifteenMinutes) {
  hold(1, {{"A", seconds(3600)}});
  EXPECT_EQ(waiting.next_timeout(), seconds(900));
  expire(seconds(900));
  EXPECT_THAT(released(),
              ElementsAre("1 A: rejected due to timeout after waiting 15m0s at plugin A"));
}

}  // namespace
}  // namespace berth::binding
