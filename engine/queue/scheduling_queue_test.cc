#include "engine/queue/scheduling_queue.h"

#include <gtest/gtest.h>

#include "engine/queue/testing/fake_hooks.h"

namespace berth::queue {
namespace {

using namespace std::chrono_literals;
using Pods = std::vector<model::PodId>;

constexpr uint32_t kPending = 1, kNode = 2;  // kinds
constexpr uint32_t kAdd = 1, kLabel = 2;     // actions
constexpr RefuserId kFit = 0, kLabels = 1, kGates = 2, kClaims = 3;
const QueueEvent kNodeAdd{kNode, kAdd, nullptr};
const QueueEvent kNodeLabel{kNode, kLabel, nullptr};
const QueueEvent kPodLabel{kPending, kLabel, nullptr};

model::PodId pod(uint32_t index) { return {index, 1}; }

class SchedulingQueueTest : public ::testing::Test {
 protected:
  SchedulingQueueTest() { use({.initial_backoff = 1s, .max_backoff = 10s}); }

  void use(QueueOptions options) {
    queue_ = std::make_unique<SchedulingQueue>(hooks_, options);
    queue_->set_interest({0, kFit, kNode, kAdd, true});
    queue_->set_interest({0, kLabels, kNode, kLabel, false});
    queue_->set_interest({0, kGates, kPending, kLabel, true});
    queue_->set_interest({0, kClaims, kNode, kAdd | kLabel, true});
    hooks_.helps = [this](const QueueEvent&, RefuserId refuser, uint32_t group) {
      return helped_.contains({refuser, group});
    };
  }
  void add(uint32_t index, FakePod like, Time now) {
    hooks_.pods[pod(index)] = like;
    const model::PodId id = pod(index);
    queue_->add(0, {&id, 1}, now);
  }
  void refuse(uint32_t index, std::vector<RefuserId> refusers, Time now, bool pending = false) {
    Refusers all;
    for (const RefuserId refuser : refusers) all.add(refuser, pending);
    queue_->add_unschedulable(pod(index), all, now);
  }
  // Adds, pops and refuses.
  void wait(uint32_t index, FakePod like, std::vector<RefuserId> refusers, Time now) {
    add(index, like, now);
    ASSERT_EQ(queue_->pop(), pod(index));
    refuse(index, std::move(refusers), now);
  }
  Place place(uint32_t index) const { return queue_->place(pod(index)); }

  FakeHooks hooks_;
  std::set<std::pair<RefuserId, uint32_t>> helped_;
  std::unique_ptr<SchedulingQueue> queue_;
};

class SeenMoves final : public MoveWatch {
 public:
  void entered(const Entered& pod) override { seen.push_back(pod); }
  std::vector<Entered> seen;
};

TEST_F(SchedulingQueueTest, TellsOfEachMove) {
  SeenMoves moves;
  queue_->watch_moves(&moves);
  wait(0, {}, {kFit}, 1s);
  ASSERT_EQ(moves.seen.size(), 2u);
  EXPECT_EQ(moves.seen[0].move.cause, MoveCause::kPodAdd);
  EXPECT_EQ(moves.seen[0].to, Place::kActive);
  EXPECT_EQ(moves.seen[1].move.cause, MoveCause::kAttemptFailed);
  EXPECT_EQ(moves.seen[1].to, Place::kUnschedulable);
  queue_->activate(std::vector{pod(0)}, 1s);
  ASSERT_EQ(moves.seen.size(), 3u);
  EXPECT_EQ(moves.seen[2].move.cause, MoveCause::kActivated);
  EXPECT_TRUE(moves.seen[2].immediately);
  ASSERT_EQ(queue_->pop(), pod(0));
  refuse(0, {kFit}, 1s);
  queue_->flush_unschedulable(400s);
  EXPECT_EQ(moves.seen.back().move.cause, MoveCause::kTimedOut);
  EXPECT_EQ(moves.seen.back().to, Place::kActive);
  EXPECT_FALSE(moves.seen.back().backs_off);
  queue_->watch_moves(nullptr);
  ASSERT_EQ(queue_->pop(), pod(0));
  refuse(0, {kFit}, 401s);
  EXPECT_EQ(moves.seen.size(), 5u);
}

TEST_F(SchedulingQueueTest, PopsByKeyAndThenByQueueTime) {
  add(0, {.priority = 1}, 1ms);
  add(1, {.priority = 5}, 2ms);
  add(2, {.priority = 1}, 3ms);
  EXPECT_EQ(queue_->list(Place::kActive), (Pods{pod(1), pod(0), pod(2)}));
  EXPECT_EQ(queue_->pop(), pod(1));
  EXPECT_EQ(queue_->pop(), pod(0));
  EXPECT_EQ(queue_->attempts(pod(0)), 1u);
  EXPECT_EQ(queue_->first_active_at(pod(0)), 1ms);
  EXPECT_EQ(place(0), Place::kInFlight);
}

// The queue time is that of the failure, not of the entry to the queue.
TEST_F(SchedulingQueueTest, AmongEqualsThePodThatFailedEarlierIsFirst) {
  for (uint32_t i = 0; i < 2; ++i) wait(i, {.group = i}, {kLabels}, Time(1ms * (i + 1)));
  add(2, {}, 3ms);
  queue_->move_all(kNodeLabel, 100s, [](model::PodId id) { return id == pod(1); });
  queue_->move_all(kNodeLabel, 101s);
  EXPECT_EQ(queue_->list(Place::kActive), (Pods{pod(0), pod(1), pod(2)}));
}

TEST_F(SchedulingQueueTest, BackoffDoublesUpToTheMostAndEndsWithASecond) {
  add(0, {}, 500ms);
  Time now = 500ms;
  for (const Time expected : {1s, 2s, 4s, 8s, 10s, 10s}) {
    queue_->activate(Pods{pod(0)}, now);
    ASSERT_EQ(queue_->pop(), pod(0));
    queue_->add_error(pod(0), now);
    EXPECT_EQ(queue_->backoff_until(pod(0)),
              std::chrono::floor<std::chrono::seconds>(now + expected));
    EXPECT_EQ(place(0), Place::kErrorBackoff);
  }
}

TEST_F(SchedulingQueueTest, ARefusalStartsTheCountOfErrorsAnew) {
  add(0, {}, 0ms);
  for (int i = 0; i < 3; ++i) {
    queue_->activate(Pods{pod(0)}, 0ms);
    queue_->pop();
    queue_->add_error(pod(0), 0ms);
  }
  EXPECT_EQ(queue_->backoff_until(pod(0)), 4s);
  queue_->activate(Pods{pod(0)}, 0ms);
  queue_->pop();
  refuse(0, {kFit}, 0ms);
  EXPECT_EQ(queue_->backoff_until(pod(0)), 1s);
}

TEST_F(SchedulingQueueTest, APodWhoseBackoffEndsInTheCurrentSecondBacksOff) {
  wait(0, {}, {kLabels}, 1200ms);  // until 2 s
  queue_->move_all(kNodeLabel, 2900ms);
  EXPECT_EQ(place(0), Place::kBackoff);
  queue_->flush_backoff(2s);
  EXPECT_EQ(place(0), Place::kBackoff);
  queue_->flush_backoff(3s);
  EXPECT_EQ(place(0), Place::kActive);
}

// The queue has no times of its own: they are the configuration's.
TEST_F(SchedulingQueueTest, WithoutTimesNoPodBacksOff) {
  use({});
  wait(0, {}, {kLabels}, 1200ms);
  queue_->move_all(kNodeLabel, 1300ms);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(queue_->backoff_until(pod(0)), std::nullopt);
}

TEST_F(SchedulingQueueTest, WithoutWindowsBackoffEndsExactly) {
  use({.initial_backoff = 1s, .max_backoff = 10s, .pop_from_backoff = false});
  wait(0, {}, {kLabels}, 1200ms);
  queue_->move_all(kNodeLabel, 1300ms);
  EXPECT_EQ(queue_->pop(), std::nullopt);
  queue_->flush_backoff(2200ms);
  EXPECT_EQ(place(0), Place::kBackoff);
  queue_->flush_backoff(2201ms);
  EXPECT_EQ(place(0), Place::kActive);
}

TEST_F(SchedulingQueueTest, PopsFromBackoffByWindowAndPriorityButNotAfterErrors) {
  wait(0, {.priority = 1}, {kLabels}, 100ms);
  wait(1, {.priority = 9}, {kLabels}, 900ms);
  wait(2, {.priority = 99}, {kLabels}, 1100ms);
  add(3, {.priority = 100}, 1100ms);
  queue_->pop();
  queue_->add_error(pod(3), 1100ms);
  queue_->move_all(kNodeLabel, 1200ms);
  EXPECT_EQ(queue_->list(Place::kBackoff), (Pods{pod(1), pod(0), pod(2)}));
  for (const uint32_t next : {1u, 0u, 2u}) EXPECT_EQ(queue_->pop(), pod(next));
  EXPECT_FALSE(queue_->can_pop());
  EXPECT_EQ(queue_->pop(), std::nullopt);
  EXPECT_EQ(place(3), Place::kErrorBackoff);
}

TEST_F(SchedulingQueueTest, AnEventAsksOncePerClassAndMovesItsPods) {
  for (uint32_t i = 0; i < 6; ++i) wait(i, {.group = i % 2}, {kFit}, 1s);
  wait(6, {.group = 0}, {kLabels}, 1s);
  helped_ = {{kFit, 1}};
  hooks_.asked.clear();
  queue_->move_all(kNodeAdd, 100s);
  ASSERT_EQ(hooks_.asked.size(), 1u);
  EXPECT_EQ(hooks_.asked[0], (FakeHooks::Asked{kFit, {pod(0), pod(1)}}));
  EXPECT_EQ(queue_->list(Place::kActive), (Pods{pod(1), pod(3), pod(5)}));
  EXPECT_EQ(queue_->list(Place::kUnschedulable), (Pods{pod(0), pod(2), pod(4), pod(6)}));
}

TEST_F(SchedulingQueueTest, AnActionOutsideTheInterestAsksNobody) {
  wait(0, {}, {kFit}, 1s);
  helped_ = {{kFit, 0}};
  hooks_.asked.clear();
  for (const QueueEvent& event : {kNodeLabel, kPodLabel, QueueEvent{kNode, kAdd | kLabel}}) {
    EXPECT_FALSE(queue_->concerns(event));
    queue_->move_all(event, 100s);
  }
  EXPECT_TRUE(hooks_.asked.empty());
  EXPECT_EQ(place(0), Place::kUnschedulable);
  EXPECT_TRUE(queue_->concerns(kNodeAdd));
}

TEST_F(SchedulingQueueTest, APendingRefuserEndsTheBackoff) {
  add(0, {}, 1s);
  queue_->pop();
  refuse(0, {kClaims}, 1s, true);
  wait(1, {}, {kClaims}, 1s);
  helped_ = {{kClaims, 0}};
  queue_->move_all(kNodeAdd, 1001ms);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(place(1), Place::kBackoff);
}

TEST_F(SchedulingQueueTest, AnEventInFlightCountsWhenThePodComesBack) {
  add(0, {}, 1s);
  add(1, {}, 1s);
  helped_ = {{kFit, 0}};
  queue_->pop();
  queue_->move_all(kNodeAdd, 1s);
  queue_->pop();
  refuse(0, {kFit, kLabels}, 2s);
  refuse(1, {kFit}, 2s);
  EXPECT_EQ(place(0), Place::kBackoff);
  EXPECT_EQ(place(1), Place::kUnschedulable);  // popped after the event
}

TEST_F(SchedulingQueueTest, AnEventInFlightForAnotherRefuserDoesNotCount) {
  add(0, {}, 1s);
  queue_->pop();
  queue_->move_all(kNodeLabel, 1s);
  refuse(0, {kFit}, 2s);
  EXPECT_EQ(place(0), Place::kUnschedulable);
}

TEST_F(SchedulingQueueTest, NoQuestionsOncePastRefusal) {
  add(0, {}, 1s);
  queue_->pop();
  EXPECT_TRUE(queue_->concerns(kNodeAdd));
  queue_->refusal_over(pod(0));
  EXPECT_FALSE(queue_->concerns(kNodeAdd));
  queue_->move_all(kNodeAdd, 1s);
  EXPECT_TRUE(hooks_.asked.empty());
  queue_->add_error(pod(0), 1s);
  EXPECT_EQ(place(0), Place::kErrorBackoff);
}

TEST_F(SchedulingQueueTest, AGatedPodEntersWhenItsGateWantsTheEventAndOpens) {
  add(0, {.gate = kGates}, 1s);
  EXPECT_EQ(place(0), Place::kGated);
  EXPECT_EQ(queue_->gated_by(pod(0)), kGates);
  EXPECT_EQ(queue_->first_active_at(pod(0)), std::nullopt);
  const auto update = [&] { queue_->update(0, pod(0), std::array{kPodLabel}, 2s); };
  update();  // the hint says no
  hooks_.gate_asks.clear();
  helped_ = {{kGates, 0}};
  update();  // the hint says yes, the gate does not
  EXPECT_EQ(hooks_.gate_asks, Pods{pod(0)});
  EXPECT_EQ(place(0), Place::kGated);
  hooks_.pods[pod(0)].gate = kNobody;
  update();
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(queue_->gated_by(pod(0)), kNobody);
  EXPECT_EQ(queue_->queued_at(pod(0)), 1s);
}

TEST_F(SchedulingQueueTest, APodThatTimeBroughtBackIsSoUntilItsNextAttempt) {
  wait(0, {}, {kLabels}, 1s);
  add(1, {.gate = kGates}, 1s);
  add(2, {.gate = kGates}, 300s);
  queue_->flush_unschedulable(301s);
  EXPECT_FALSE(queue_->timed_out(pod(0)));
  queue_->flush_unschedulable(330s);
  EXPECT_TRUE(queue_->timed_out(pod(0)));
  EXPECT_TRUE(queue_->timed_out(pod(1)));
  EXPECT_FALSE(queue_->timed_out(pod(2)));
  EXPECT_EQ(queue_->pop(), pod(0));
  EXPECT_TRUE(queue_->timed_out(pod(0)));
  refuse(0, {kLabels}, 331s);
  EXPECT_FALSE(queue_->timed_out(pod(0)));
}

TEST_F(SchedulingQueueTest, OtherRefusersOfAGatedPodAreNotAsked) {
  wait(0, {}, {kLabels}, 1s);
  hooks_.pods[pod(0)].gate = kGates;
  queue_->move_all(kNodeLabel, 100s);
  EXPECT_EQ(place(0), Place::kGated);
  hooks_.pods[pod(0)].gate = kNobody;
  queue_->move_all(kNodeLabel, 100s);
  EXPECT_EQ(place(0), Place::kGated);
  queue_->activate(Pods{pod(0)}, 100s);
  EXPECT_EQ(place(0), Place::kActive);
}

TEST_F(SchedulingQueueTest, GatesAreAskedBeforeBackoffAndNotAfter) {
  wait(0, {}, {kLabels}, 1s);
  hooks_.gate_asks.clear();
  queue_->move_all(kNodeLabel, 1s);
  EXPECT_EQ(hooks_.gate_asks.size(), 1u);
  hooks_.pods[pod(0)].gate = kGates;
  queue_->flush_backoff(10s);
  EXPECT_EQ(hooks_.gate_asks.size(), 1u);
  EXPECT_EQ(place(0), Place::kActive);
}

TEST_F(SchedulingQueueTest, ActivationOutOfBackoffAsksGatesUnlessItIsToldNotTo) {
  for (const bool asks : {true, false}) {
    use({.initial_backoff = 1s, .max_backoff = 10s, .activation_asks = asks});
    wait(0, {}, {kLabels}, 1s);
    queue_->move_all(kNodeLabel, 1s);
    wait(1, {}, {kFit}, 1s);
    hooks_.pods[pod(0)].gate = hooks_.pods[pod(1)].gate = kGates;
    queue_->activate(Pods{pod(0), pod(1)}, 1s);
    EXPECT_EQ(place(0), asks ? Place::kGated : Place::kActive);
    EXPECT_EQ(place(1), Place::kGated);  // it waited, and was not asked before
  }
  use({.initial_backoff = 1s,
       .max_backoff = 10s,
       .pop_from_backoff = false,
       .activation_asks = false});
  wait(0, {}, {kLabels}, 1s);
  queue_->move_all(kNodeLabel, 1s);
  hooks_.pods[pod(0)].gate = kGates;
  queue_->activate(Pods{pod(0)}, 1s);
  EXPECT_EQ(place(0), Place::kGated);
}

TEST_F(SchedulingQueueTest, WithoutPopFromBackoffGatesAreAskedAfterIt) {
  use({.initial_backoff = 1s, .max_backoff = 10s, .pop_from_backoff = false});
  wait(0, {}, {kLabels}, 1s);
  hooks_.gate_asks.clear();
  queue_->move_all(kNodeLabel, 1s);
  EXPECT_TRUE(hooks_.gate_asks.empty());
  hooks_.pods[pod(0)].gate = kGates;
  queue_->flush_backoff(10s);
  EXPECT_EQ(place(0), Place::kGated);
}

TEST_F(SchedulingQueueTest, AnUpdateKeepsTheQueueAndTheQueueTime) {
  add(0, {.priority = 1}, 1s);
  add(1, {.priority = 1}, 2s);
  add(2, {.priority = 2}, 3s);
  queue_->update(0, pod(0), std::array{kPodLabel}, 4s);
  EXPECT_EQ(queue_->list(Place::kActive), (Pods{pod(2), pod(0), pod(1)}));
  hooks_.pods[pod(1)].priority = 3;
  queue_->update(0, pod(1), std::array{kPodLabel}, 5s);
  EXPECT_EQ(queue_->list(Place::kActive), (Pods{pod(1), pod(2), pod(0)}));
}

TEST_F(SchedulingQueueTest, AnUpdateMovesAWaitingPodToItsNewGroup) {
  wait(0, {.group = 1}, {kFit}, 1s);
  wait(1, {.group = 1}, {kFit}, 1s);
  hooks_.pods[pod(0)].group = 2;
  queue_->update(0, pod(0), std::array{kPodLabel}, 2s);
  helped_ = {{kFit, 2}};
  queue_->move_all(kNodeAdd, 100s);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(place(1), Place::kUnschedulable);
}

TEST_F(SchedulingQueueTest, AnUpdateAddsAnUnknownPod) {
  hooks_.pods[pod(0)] = {};
  queue_->update(0, pod(0), std::array{kPodLabel}, 1s);
  EXPECT_EQ(place(0), Place::kActive);
}

TEST_F(SchedulingQueueTest, ActivationInFlightOutweighsARefusal) {
  add(0, {}, 1s);
  queue_->pop();
  queue_->activate(Pods{pod(0), pod(7)}, 1s);
  refuse(0, {kFit}, 1s);
  EXPECT_EQ(place(0), Place::kBackoff);
  EXPECT_EQ(place(7), Place::kNone);
  queue_->activate(Pods{pod(0)}, 1s);
  EXPECT_EQ(place(0), Place::kActive);
}

TEST_F(SchedulingQueueTest, AfterFiveMinutesAPodIsTriedAgain) {
  wait(0, {}, {kFit}, 1s);
  add(1, {.gate = kGates}, 1s);
  add(2, {}, 300s);
  ASSERT_EQ(queue_->pop(), pod(2));
  queue_->flush_unschedulable(301s);
  EXPECT_EQ(place(0), Place::kUnschedulable);
  queue_->flush_unschedulable(301s + 1ns);
  EXPECT_EQ(place(0), Place::kActive);
  EXPECT_EQ(place(1), Place::kGated);
  refuse(2, {kFit}, 302s);  // the flush counts for pods in flight
  EXPECT_EQ(place(2), Place::kBackoff);
}

// Source: kube-scheduler counts gated pods when it decides whether the flush is an event.
TEST_F(SchedulingQueueTest, ALateGatedPodMakesTheFlushCountForPodsInFlight) {
  add(0, {.gate = kGates}, 1s);
  add(1, {}, 600s);
  queue_->pop();
  queue_->flush_unschedulable(600s);
  refuse(1, {kFit}, 600s);
  EXPECT_EQ(place(1), Place::kBackoff);
}

TEST_F(SchedulingQueueTest, RemovesAPodFromEveryPlace) {
  add(0, {}, 1s);
  EXPECT_TRUE(queue_->remove(pod(0)));
  EXPECT_FALSE(queue_->can_pop());
  wait(1, {}, {kFit}, 1s);
  EXPECT_TRUE(queue_->remove(pod(1)));
  add(2, {.gate = kGates}, 1s);
  EXPECT_TRUE(queue_->remove(pod(2)));
  add(3, {}, 1s);
  queue_->pop();
  EXPECT_TRUE(queue_->remove(pod(3)));
  EXPECT_FALSE(queue_->remove(pod(3)));
  queue_->done(pod(3));
  EXPECT_FALSE(queue_->concerns(kNodeAdd));
  for (size_t place = 0; place < kPlaces; ++place)
    EXPECT_EQ(queue_->size(static_cast<Place>(place)), 0u) << place;
}

TEST_F(SchedulingQueueTest, DoneForgetsOnlyAPodInFlight) {
  add(0, {}, 1s);
  queue_->done(pod(0));
  EXPECT_EQ(place(0), Place::kActive);
  queue_->pop();
  queue_->done(pod(0));
  EXPECT_EQ(place(0), Place::kNone);
}

// The row of a removed pod serves another pod, and stale entries name the row.
TEST_F(SchedulingQueueTest, AnotherPodOfTheRowIsAnotherPod) {
  add(0, {.priority = 3}, 1s);
  queue_->remove(pod(0));
  const model::PodId next{0, 2};
  hooks_.pods[next] = {.priority = 1};
  queue_->add(0, {&next, 1}, 2s);
  add(1, {.priority = 2}, 3s);
  EXPECT_EQ(place(0), Place::kNone);
  EXPECT_EQ(queue_->pop(), pod(1));
  EXPECT_EQ(queue_->pop(), next);
  EXPECT_EQ(queue_->pop(), std::nullopt);
}

TEST_F(SchedulingQueueTest, CountsMovesByCauseAndQueue) {
  wait(0, {}, {kLabels}, 1s);
  add(1, {.gate = kGates}, 1s);
  queue_->move_all(kNodeLabel, 1s);
  queue_->pop();
  const auto count = [&](const Move& move) {
    for (const MoveCount& known : queue_->moves())
      if (known.move == move) return std::array{known.active, known.backoff, known.unschedulable};
    return std::array<uint64_t, 3>{};
  };
  EXPECT_EQ(count({MoveCause::kPodAdd}), (std::array<uint64_t, 3>{1, 0, 1}));
  EXPECT_EQ(count({MoveCause::kAttemptFailed}), (std::array<uint64_t, 3>{0, 0, 1}));
  EXPECT_EQ(count({MoveCause::kEvent, kNode, kLabel}), (std::array<uint64_t, 3>{0, 1, 0}));
  EXPECT_EQ(count({MoveCause::kPoppedFromBackoff}), (std::array<uint64_t, 3>{1, 0, 0}));
}

TEST_F(SchedulingQueueTest, AsksEachProfileForItsOwnPods) {
  queue_->set_interest({1, 9, kNode, kAdd, true});
  hooks_.pods[pod(5)] = {};
  queue_->add(1, Pods{pod(5)}, 1s);
  add(6, {}, 2s);
  queue_->pop();
  queue_->pop();
  std::vector<FakeHooks::Asked> questions;
  queue_->for_each_question(kNodeAdd, [&](RefuserId refuser, std::span<const model::PodId> pods) {
    questions.push_back({refuser, {pods.begin(), pods.end()}});
  });
  const std::vector<FakeHooks::Asked> expected{
      {kFit, {pod(6)}}, {kClaims, {pod(6)}}, {9, {pod(5)}}};
  EXPECT_EQ(questions, expected);
  queue_->move_all(kNodeAdd, 2s);
  EXPECT_EQ(hooks_.asked, expected);
}

using SchedulingQueueDeathTest = SchedulingQueueTest;

TEST_F(SchedulingQueueDeathTest, APodIsAddedOnceAndComesBackOnce) {
  add(0, {}, 1s);
  EXPECT_DEATH(add(0, {}, 1s), "");
  EXPECT_DEATH(refuse(0, {kFit}, 1s), "");
  EXPECT_DEATH(queue_->add_error(pod(0), 1s), "");
}

}  // namespace
}  // namespace berth::queue
