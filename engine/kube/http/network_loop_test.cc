// The clock, timers, and what other threads may do.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/kube/http/network.h"
#include "engine/kube/http/testing/client.h"

namespace berth::kube {
namespace {

using std::chrono::milliseconds;

TEST(NetworkLoop, TimersComeInOrder) {
  TestClient client("http://127.0.0.1:1");
  std::string order;
  const Time start = client.now();
  client.at(start + milliseconds(2), [&] { order += 'c'; });
  client.at(start + milliseconds(1), [&] {
    order += 'a';
    EXPECT_GE(client.now(), start + milliseconds(1));
    client.after(Time(0), [&] {
      order += 'x';
      client.after(milliseconds(2), [&] { client.stop(); });  // behind all others
    });
  });
  const uint64_t none = client.at(start + milliseconds(1), [&] { order += '!'; });
  uint64_t later = 0;
  client.at(start + milliseconds(1), [&] {
    order += 'b';
    client.cancel(later);
  });
  client.at(start + milliseconds(2), [&] { order += 'd'; });
  later = client.at(start + milliseconds(2), [&] { order += '!'; });
  client.cancel(none);
  client.run_to_stop();
  std::string without = order;
  std::erase(without, 'x');
  EXPECT_EQ(without, "abcd");
  EXPECT_GT(order.find('x'), order.find('a'));
  EXPECT_NE(order.find('x'), order.npos);
}

TEST(NetworkLoop, ATimerThatIsAlwaysDueLetsOthersCome) {
  TestClient client("http://127.0.0.1:1");
  std::function<void()> again = [&] { client.at(Time(0), again); };
  again();
  client.after(milliseconds(1), [&] { client.stop(); });
  client.run_to_stop();
}

TEST(NetworkLoop, OtherThreadsPostAndStop) {
  constexpr int kThreads = 4, kEach = 500;
  TestClient client("http://127.0.0.1:1");
  int called = 0;
  std::vector<int> last(kThreads, -1);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i)
        client.post([&, thread, i] {
          EXPECT_EQ(std::exchange(last[static_cast<size_t>(thread)], i), i - 1);
          if (++called == kThreads * kEach) std::thread([&] { client.stop(); }).detach();
        });
    });
  client.run_to_stop();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(called, kThreads * kEach);
}

TEST(NetworkLoop, AStopBeforeTheRunEndsIt) {
  TestClient client("http://127.0.0.1:1");
  client.stop();
  client.post([] { ADD_FAILURE(); });
  client.run();
}

}  // namespace
}  // namespace berth::kube
