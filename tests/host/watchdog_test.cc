#include "engine/host/watchdog.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

using std::chrono::milliseconds;

// The plugin sleeps 400 ms.
CallError call_sleeper(FaultyInstance& instance) {
  std::array<uint8_t, 4> verdicts{};
  berth_call call{};
  call.count = verdicts.size();
  return instance->filter()->call(instance.worker(), call, verdicts);
}

TEST(Watchdog, NamesAHookThatDoesNotReturn) {
  FaultyInstance instance("filter sleeps");
  std::mutex mutex;
  std::vector<std::string> messages;
  {
    const Watchdog watchdog(
        instance.fake.hooks, {&instance.worker()},
        {milliseconds(10'000), milliseconds(50), [&](const std::string& message) {
           const std::lock_guard lock(mutex);
           messages.push_back(message);
         }});
    EXPECT_FALSE(call_sleeper(instance));
  }
  EXPECT_EQ(messages,
            std::vector<std::string>{"plugin \"Faulty\" has not returned from Filter for 50 ms"});
}

TEST(Watchdog, EndsTheProcess) {
  EXPECT_EXIT(
      {
        FaultyInstance instance("filter sleeps");
        const Watchdog watchdog(instance.fake.hooks, {&instance.worker()},
                                {milliseconds(20), milliseconds(40), {}});
        if (call_sleeper(instance)) return;
      },
      testing::ExitedWithCode(Watchdog::kExitCode),
      "berth: error: plugin \"Faulty\" has not returned from Filter for 40 ms");
}

TEST(Watchdog, FailsACallThatReturnsLate) {
  FaultyInstance instance("filter sleeps");
  const Watchdog watchdog(instance.fake.hooks, {&instance.worker()},
                          {milliseconds(50), milliseconds(10'000), {}});
  const CallError error = call_sleeper(instance);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.kind(), CallError::Kind::kLate);
  EXPECT_EQ(error.text(), "plugin \"Faulty\" took too long in Filter");
}

TEST(Watchdog, LeavesManyShortCallsAlone) {
  FaultyInstance instance;
  std::atomic<int> reports{0};
  const Watchdog watchdog(
      instance.fake.hooks, {&instance.worker()},
      {milliseconds(20), milliseconds(20), [&](const std::string&) { ++reports; }});
  const auto end = std::chrono::steady_clock::now() + milliseconds(200);
  while (std::chrono::steady_clock::now() < end) EXPECT_FALSE(call_sleeper(instance));
  EXPECT_EQ(reports, 0);
}

// Outside of calls nothing is late, however long it takes.
TEST(Watchdog, DoesNotWatchTheHost) {
  FaultyInstance instance;
  std::atomic<int> reports{0};
  EXPECT_FALSE(call_sleeper(instance));
  const Watchdog watchdog(
      instance.fake.hooks, {&instance.worker()},
      {milliseconds(10), milliseconds(10), [&](const std::string&) { ++reports; }});
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(reports, 0);
}

TEST(Worker, ShowsNestedCalls) {
  Worker worker;
  EXPECT_EQ(Worker::hook_of(worker.activity()), 0u);
  const uint64_t none = worker.enter(3);
  const uint64_t outer_activity = worker.activity();
  EXPECT_EQ(Worker::hook_of(outer_activity), 3u);
  const uint64_t outer = worker.enter(4);
  EXPECT_EQ(Worker::hook_of(worker.activity()), 4u);
  worker.leave(outer);
  EXPECT_EQ(worker.activity(), outer_activity);
  worker.leave(none);
  EXPECT_EQ(Worker::hook_of(worker.activity()), 0u);
  const uint64_t again = worker.enter(3);
  EXPECT_NE(worker.activity(), outer_activity);
  worker.leave(again);
}

}  // namespace
}  // namespace berth::host
