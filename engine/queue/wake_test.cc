// Pods that move because the plugin that refused them says so.

#include <gtest/gtest.h>

#include "engine/queue/scheduling_queue.h"
#include "engine/queue/testing/fake_hooks.h"

namespace berth::queue {
namespace {

using namespace std::chrono_literals;

constexpr RefuserId kQuota = 0, kNames = 1, kKeeper = 2;

model::PodId waiter(uint32_t index) { return {index, 1}; }

class Wakes : public ::testing::Test {
 protected:
  void add(uint32_t index, FakePod like, Time now) {
    const model::PodId id = waiter(index);
    hooks_.pods[id] = like;
    queue_.add(0, {&id, 1}, now);
  }
  void refuse(uint32_t index, std::initializer_list<RefuserId> refusers, Time now,
              bool pending = false) {
    Refusers all;
    for (const RefuserId refuser : refusers) all.add(refuser, pending);
    queue_.add_unschedulable(waiter(index), all, now);
  }
  void wait(uint32_t index, std::initializer_list<RefuserId> refusers, Time now,
            bool pending = false) {
    add(index, {.group = index}, now);
    ASSERT_EQ(queue_.pop(), waiter(index));
    refuse(index, refusers, now, pending);
  }
  Place place(uint32_t index) const { return queue_.place(waiter(index)); }

  FakeHooks hooks_;
  SchedulingQueue queue_{hooks_, {.initial_backoff = 1s, .max_backoff = 10s}};
};

// As after an event: with backoff, unless the plugin waits for something else.
TEST_F(Wakes, MoveThePodsThatTheRefuserRefused) {
  wait(0, {kQuota}, 0s);
  wait(1, {kQuota, kNames}, 2s);
  wait(2, {kNames}, 2s);
  wait(3, {kQuota}, 2s, true);
  queue_.wake(kQuota, 0, 2500ms);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(place(1), Place::kBackoff);
  EXPECT_EQ(place(2), Place::kUnschedulable);
  EXPECT_EQ(place(3), Place::kActive);
  EXPECT_EQ(queue_.moves().back().move, (Move{MoveCause::kPluginWoke}));
  EXPECT_TRUE(hooks_.asked.empty());
}

TEST_F(Wakes, AskKeeperOfTheRefuserAgain) {
  add(0, {.gate = kQuota}, 0s);
  add(1, {.group = 1, .gate = kQuota}, 0s);
  add(2, {.group = 2, .gate = kKeeper}, 0s);
  hooks_.pods[waiter(0)].gate = kNobody;
  hooks_.pods[waiter(2)].gate = kNobody;
  queue_.wake(kQuota, 0, 1s);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(place(1), Place::kGated);
  EXPECT_EQ(place(2), Place::kGated) << "another plugin gates it";
}

TEST_F(Wakes, CountForPodsInFlight) {
  add(0, {}, 0s);
  ASSERT_EQ(queue_.pop(), waiter(0));
  queue_.wake(kQuota, 0, 0s);
  refuse(0, {kQuota}, 0s);
  EXPECT_EQ(place(0), Place::kBackoff);
  ASSERT_EQ(queue_.pop(), waiter(0));
  queue_.wake(kQuota, 0, 0s);
  refuse(0, {kNames}, 0s);
  EXPECT_EQ(place(0), Place::kUnschedulable);
}

TEST_F(Wakes, OfAnotherProfileConcernNoPodInFlight) {
  add(0, {}, 0s);
  ASSERT_EQ(queue_.pop(), waiter(0));
  queue_.wake(kQuota, 1, 0s);
  refuse(0, {kQuota}, 0s);
  EXPECT_EQ(place(0), Place::kUnschedulable);
}

}  // namespace
}  // namespace berth::queue
