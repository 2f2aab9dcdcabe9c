#include "tests/apiserver/net/event_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

namespace berth::apiserver {
namespace {

using testing::ElementsAre;

EventLoop* stopped_by_signal = nullptr;

void run(EventLoop& loop) {
  loop.run([] { return false; });
}

TEST(Loop, CallsTimersInTheOrderOfTheirTimesAndOfTheCalls) {
  EventLoop loop;
  std::vector<int> calls;
  const Time now = EventLoop::now();
  loop.at(now + Time(2), [&] { calls.push_back(3); });
  loop.at(now + Time(3), [&] { loop.stop(); });
  loop.at(now + Time(1), [&] { calls.push_back(1); });
  loop.at(now + Time(1), [&] { calls.push_back(2); });
  loop.cancel(loop.at(now + Time(1), [&] { calls.push_back(0); }));
  loop.cancel(0);
  EXPECT_THAT(calls, ElementsAre());
  run(loop);
  EXPECT_THAT(calls, ElementsAre(1, 2, 3));
}

TEST(Loop, IsNeverEarly) {
  EventLoop loop;
  const Time due = EventLoop::now() + std::chrono::microseconds(1500);
  Time called{};
  loop.at(due, [&] {
    called = EventLoop::now();
    loop.stop();
  });
  run(loop);
  EXPECT_GE(called, due);
}

TEST(Loop, TimersCancelAndSetOthers) {
  EventLoop loop;
  std::vector<int> calls;
  uint64_t other = 0, own = 0;
  const Time past = EventLoop::now() - Time(10);
  own = loop.at(past, [&] {
    calls.push_back(1);
    loop.cancel(other);
    loop.cancel(own);
    // Earlier than one that is due already, and still in the next turn.
    loop.at(past - Time(5), [&] { calls.push_back(3); });
    loop.at(past, [&] { loop.stop(); });
  });
  other = loop.at(past + Time(1), [&] { calls.push_back(0); });
  loop.at(past + Time(2), [&] { calls.push_back(2); });
  run(loop);
  EXPECT_THAT(calls, ElementsAre(1, 2, 3));
}

TEST(Loop, TakesCallsOfOtherThreads) {
  EventLoop loop;
  std::vector<int> calls;
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) loop.post([&calls, i] { calls.push_back(i); });
    loop.post([&loop] { loop.stop(); });
  });
  run(loop);
  other.join();
  ASSERT_EQ(calls.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(calls.begin(), calls.end()));
}

TEST(Loop, IsStoppedBeforeItRunsAndBySignals) {
  EventLoop loop;
  loop.stop();
  run(loop);
  stopped_by_signal = &loop;
  const auto before = std::signal(SIGUSR1, [](int) { stopped_by_signal->stop(); });
  loop.post([] { std::raise(SIGUSR1); });
  run(loop);
  std::signal(SIGUSR1, before);
}

TEST(Loop, DoesNotWaitWhereATurnLeavesWork) {
  EventLoop loop;
  int turns = 0;
  loop.post([] {});  // no more than one turn would come
  loop.run([&] {
    if (++turns == 5) loop.stop();
    return turns < 5;
  });
  EXPECT_EQ(turns, 5);
}

}  // namespace
}  // namespace berth::apiserver
