#include "engine/host/calls/checks/watchdog.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>

#include "engine/base/io/new_file.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/instance/validate.h"
#include "tests/host/faulty_instance.h"
#include "tests/host/scratch_folder.h"

namespace berth::host {
namespace {

using std::chrono::milliseconds;

// Calls a plugin that sleeps for 400 ms.
CallError call_sleeper(FaultyInstance& instance) {
  std::array<uint8_t, 4> verdicts{};
  berth_call call{};
  call.count = verdicts.size();
  return instance->hook<Filter>()->call(instance.calls(), call, verdicts);
}

TEST(Watchdog, NamesAHookThatDoesNotReturn) {
  FaultyInstance instance("filter sleeps");
  std::mutex mutex;
  std::vector<std::string> messages;
  {
    const Watchdog watchdog(
        instance.fake.hooks, {&instance.calls()},
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
        const Watchdog watchdog(instance.fake.hooks, {&instance.calls()},
                                {milliseconds(20), milliseconds(40), {}});
        if (call_sleeper(instance)) return;
      },
      testing::ExitedWithCode(kEndedByPlugin),
      "berth: error: plugin \"Faulty\" has not returned from Filter for 40 ms "
      "\\(.*faulty.so\\); it can only be ended with the process");
}

TEST(Watchdog, NamesThePod) {
  EXPECT_EXIT(
      {
        FaultyInstance instance("filter sleeps");
        const Watchdog watchdog(instance.fake.hooks, {&instance.calls()},
                                {milliseconds(20), milliseconds(40), {}});
        const AboutPod about("default", "web", AboutPod::Of::kThread, 2);
        if (call_sleeper(instance)) return;
      },
      testing::ExitedWithCode(kEndedByPlugin),
      "plugin \"Faulty\" has not returned from Filter of pod \"default/web\" and 2 more for 40 ms");
}

// A plugin that blocks all signals is named as well, without the pod, which its thread alone knows.
TEST(Watchdog, EndsTheProcessOfAPluginThatBlocksSignals) {
  EXPECT_EXIT(
      {
        FaultyInstance instance("filter sleeps long");
        const Watchdog watchdog(instance.fake.hooks, {&instance.calls()},
                                {milliseconds(20), milliseconds(40), {}});
        const AboutPod about("default", "web", AboutPod::Of::kThread);
        sigset_t every;
        sigfillset(&every);
        pthread_sigmask(SIG_BLOCK, &every, nullptr);
        if (call_sleeper(instance)) return;
      },
      testing::ExitedWithCode(kEndedByPlugin),
      "plugin \"Faulty\" has not returned from Filter for 40 ms \\(.*faulty.so\\)");
}

// A release is no call of a hook; with and without a watchdog it may not go on for ever.
void release_slowly(bool watched) {
  FaultyInstance instance("release sleeps");  // to load it may take longer on a busy machine
  LifeCycleCall::set_limit(milliseconds(40));
  std::optional<Watchdog> watchdog;
  if (watched)
    watchdog.emplace(instance.fake.hooks, std::vector{&instance.calls()},
                     WatchdogOptions{milliseconds(20), milliseconds(40), {}});
  Prepared prepared;
  if (instance->hook<Filter>()->prepare(instance.calls(), {}, prepared)) return;
  prepared = Prepared();
}

TEST(Watchdog, SeesReleases) {
  for (const bool watched : {true, false})
    EXPECT_EXIT(release_slowly(watched), testing::ExitedWithCode(kEndedByPlugin),
                "plugin \"Faulty\" has not returned from release for 40 ms \\(.*faulty.so\\)")
        << watched;
}

TEST(Watchdog, LeavesNoTemporaryFileWhenItEndsTheProcess) {
  const ScratchFolder folder;
  EXPECT_EXIT(
      {
        const NewFile file(folder.path() / "summary.json");
        FaultyInstance instance("filter sleeps");
        const Watchdog watchdog(instance.fake.hooks, {&instance.calls()},
                                {milliseconds(20), milliseconds(40), {}});
        if (std::filesystem::is_empty(folder.path()) || call_sleeper(instance)) return;
      },
      testing::ExitedWithCode(kEndedByPlugin), "has not returned from Filter");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Watchdog, FailsACallThatReturnsLate) {
  FaultyInstance instance("filter sleeps");
  const Watchdog watchdog(instance.fake.hooks, {&instance.calls()},
                          {milliseconds(50), milliseconds(10'000), {}});
  const CallError error = call_sleeper(instance);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.kind(), CallError::Kind::kLate);
  EXPECT_THAT(error.text(), testing::MatchesRegex("plugin \"Faulty\" took too long in Filter: "
                                                  "[0-9.]+ m?s, where a call may take 50 ms"));
  EXPECT_EQ(instance.calls().counts(instance->hook<Filter>()->id()).broken, 1u);
}

// Runs in a child: a start that a function of the plugin delays by 400 ms, where 40 are allowed.
void start_slowly(const std::string& fault) {
  static_cast<void>(faulty_library());  // to load it may take longer on a busy machine
  LifeCycleCall::set_limit(milliseconds(40));
  const TextArguments arguments("{\"fault\": \"" + fault + "\"}");
  if (!validate(*faulty_library(), arguments.get()).empty()) return;
  FakeEnvironment fake;
  const Instance instance(faulty_library(), fake.environment, fake.calls, arguments.get());
}

TEST(LifeCycleCalls, EndTheProcess) {
  const std::string plugin = "berth: error: plugin \"Faulty\" has not returned from ";
  const std::string why = " for 40 ms \\(.*faulty.so\\); it can only be ended with the process";
  for (const std::string function : {"validate", "init", "extension", "actions", "destroy"})
    EXPECT_EXIT(start_slowly(function + " sleeps"), testing::ExitedWithCode(kEndedByPlugin),
                plugin + function + why);
}

TEST(LifeCycleCalls, CoverStaticConstructors) {
  EXPECT_EXIT(
      {
        LifeCycleCall::set_limit(milliseconds(40));
        Library::load(ScratchFolder::built("sleeps_at_start"));
      },
      testing::ExitedWithCode(kEndedByPlugin),
      "plugin \"Identity\" has not returned from its static constructors for 40 ms");
}

TEST(LifeCycleCalls, CoverStaticDestructors) {
  EXPECT_EXIT(
      {
        Library::load(ScratchFolder::built("sleeps_at_end"));
        LifeCycleCall::set_limit(milliseconds(40));
        std::exit(0);
      },
      testing::ExitedWithCode(kEndedByPlugin),
      "has not returned from its static destructors for 40 ms");
}

// Times are arguments, so the tests do not depend on the load of the machine.
class DeadlinesTest : public testing::Test {
 protected:
  void look_at(int milliseconds_from_start) {
    deadlines_.look(Deadlines::Time(milliseconds(milliseconds_from_start)));
  }

  HookTable hooks_;
  CallContext calls_;
  HookId hook_ = hooks_.add("Rack", "Score");
  std::vector<std::string> messages_;
  Deadlines deadlines_{hooks_,
                       {&calls_},
                       {milliseconds(1000), milliseconds(3000),
                        [this](const std::string& message) { messages_.push_back(message); }}};
};

TEST_F(DeadlinesTest, OneCall) {
  calls_.enter(hook_);
  look_at(10'000);
  EXPECT_FALSE(calls_.late());
  look_at(10'999);
  EXPECT_FALSE(calls_.late());
  look_at(11'000);
  EXPECT_TRUE(calls_.late());
  look_at(12'999);
  EXPECT_TRUE(messages_.empty());
  look_at(13'000);
  look_at(14'000);
  EXPECT_EQ(messages_,
            std::vector<std::string>{"plugin \"Rack\" has not returned from Score for 3 s"});
}

TEST_F(DeadlinesTest, ManyShortCalls) {
  for (int time = 0; time < 10'000; time += 500) {
    calls_.enter(hook_);
    look_at(time);
    EXPECT_FALSE(calls_.late());
    calls_.leave(0);
  }
  EXPECT_TRUE(messages_.empty());
}

TEST_F(DeadlinesTest, LatenessBelongsToOneCall) {
  calls_.enter(hook_);
  look_at(0);
  look_at(1000);
  EXPECT_TRUE(calls_.late());
  calls_.leave(0);
  calls_.enter(hook_);
  EXPECT_FALSE(calls_.late());
}

// Time between calls does not count, however long it is.
TEST_F(DeadlinesTest, TheHostMayTakeItsTime) {
  calls_.enter(hook_);
  calls_.leave(0);
  look_at(0);
  look_at(100'000);
  EXPECT_TRUE(messages_.empty());
}

TEST(CallContext, ShowsNestedCalls) {
  CallContext calls;
  EXPECT_EQ(CallContext::hook_of(calls.activity()), 0u);
  const uint64_t none = calls.enter(3);
  const uint64_t outer_activity = calls.activity();
  EXPECT_EQ(CallContext::hook_of(outer_activity), 3u);
  const uint64_t outer = calls.enter(4);
  EXPECT_EQ(CallContext::hook_of(calls.activity()), 4u);
  calls.leave(outer);
  EXPECT_EQ(calls.activity(), outer_activity);
  calls.leave(none);
  EXPECT_EQ(CallContext::hook_of(calls.activity()), 0u);
  const uint64_t again = calls.enter(3);
  EXPECT_NE(calls.activity(), outer_activity);
  calls.leave(again);
}

}  // namespace
}  // namespace berth::host
