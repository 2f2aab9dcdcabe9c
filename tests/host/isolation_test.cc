// Plugins in processes of their own: what a crash, a hang and an exit cost, and what the process
// may do. That calls and their checks are the same is shown by isolated_host, which runs the other
// tests.

#include "engine/isolation/parent/isolation.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <vector>

#include "engine/base/sanitized.h"
#include "tests/host/isolated_plugin.h"

namespace berth::host {
namespace {

using isolation::OnFailure;
using testing::HasSubstr;

TEST(Isolation, CrashCostsTheCallAndTheProcessIsStartedAgain) {
  Isolated plugin("filter crashes");
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(plugin.score());
    EXPECT_EQ(plugin.raw[0], 0);
    EXPECT_EQ(text_of(plugin.filter()), "the plugin's process was ended by the signal 9 (Killed)");
  }
  EXPECT_FALSE(plugin.score());
  EXPECT_THAT(plugin.log(),
              testing::ElementsAre("1 Faulty: the plugin's process was ended by the signal 9 "
                                   "(Killed) in a call of Filter; another one was started"));
}

// The first crash is a line with its place; those that differ in the place alone are counted.
TEST(Isolation, CrashesAreOneLineAndANumber) {
  Isolated plugin("filter crashes");
  for (const char* pod : {"web-1", "web-2", "web-3"}) {
    const AboutPod about("default", pod, AboutPod::Of::kThread);
    EXPECT_EQ(text_of(plugin.filter()), "the plugin's process was ended by the signal 9 (Killed)");
  }
  const std::string first =
      "1 Faulty: the plugin's process was ended by the signal 9 (Killed) in a call of Filter of "
      "pod \"default/web-1\"; another one was started";
  EXPECT_THAT(plugin.log(), testing::ElementsAre(first));
  plugin.destroy();
  EXPECT_THAT(plugin.log(),
              testing::ElementsAre(first,
                                   "1 Faulty: the plugin's process was ended by the signal 9 "
                                   "(Killed) (2 more times)"));
}

TEST(Isolation, ExitCostsTheCall) {
  Isolated plugin("filter exits");
  EXPECT_EQ(text_of(plugin.filter()), "the plugin's process ended by itself with the status 3");
  EXPECT_FALSE(plugin.score());
}

TEST(Isolation, HangCostsTheCall) {
  Isolated plugin("filter hangs", {.deadline = std::chrono::milliseconds(kSanitized ? 2000 : 200)});
  EXPECT_THAT(text_of(plugin.filter()),
              HasSubstr("the plugin's process was ended, because it had not answered for "));
  EXPECT_EQ(text_of(plugin.score()), "no error");
}

// A leak ends with the process, so the next call has all of the memory again.
TEST(Isolation, MemoryBeyondTheLimitCostsTheCall) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer's runtime needs memory, so nothing is limited";
  const std::string ended =
      "the plugin's process was ended, because it wanted more memory than the 256 MiB that it may "
      "have";
  Isolated plugin("filter wants memory", {.memory = 256 << 20});
  EXPECT_EQ(text_of(plugin.filter()), ended);
  EXPECT_EQ(text_of(plugin.score()), "no error");
  EXPECT_THAT(plugin.log(), testing::ElementsAre("1 Faulty: " + ended +
                                                 " in a call of Filter; another one was started"));
  EXPECT_EQ(text_of(Isolated("filter wants memory").filter()), "a gibibyte is there");
}

// Of the address space of the lanes only those in use have memory.
TEST(Isolation, MemoryOfUnusedLanesIsNotThere) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer's runtime takes the signal";
  Isolated plugin("score writes to another lane");
  EXPECT_EQ(text_of(plugin.filter()), "no error");
  EXPECT_THAT(text_of(plugin.score()), HasSubstr("the plugin's process was ended by the signal 7"));
  EXPECT_EQ(text_of(plugin.filter()), "no error");
}

TEST(Isolation, SkippedPluginRefusesNothing) {
  Isolated plugin("filter crashes", {.on_failure = OnFailure::kSkip});
  EXPECT_FALSE(plugin.filter());
  EXPECT_THAT(plugin.codes, testing::Each(BERTH_SUCCESS));
  EXPECT_THAT(plugin.log(),
              testing::ElementsAre("1 Faulty: the plugin's process was ended by the signal 9 "
                                   "(Killed) in a call of Filter; the plugin is skipped for this "
                                   "call"));
}

// The number of messages with calls that `function` sends.
template <typename Function>
uint64_t messages(Function&& function) {
  const uint64_t before = isolation::messages_sent();
  function();
  return isolation::messages_sent() - before;
}

TEST(IsolatedRound, IsOneMessageForEachProcess) {
  Isolated one(""), other("score 7");
  EXPECT_EQ(messages([&] {
              ASSERT_EQ(text_of(one.filter()), "no error");
              ASSERT_EQ(text_of(one.score()), "no error");
            }),
            2u);
  Together together;
  EXPECT_EQ(messages([&] {
              Together::Round round(together);
              one.post(together);
              other.post(together);
              round.send();
              EXPECT_EQ(one.take_filter(together), "no error");
              EXPECT_EQ(one.take_score(together), "no error");
              EXPECT_EQ(other.take_filter(together), "no error");
              EXPECT_EQ(other.take_score(together), "no error");
            }),
            2u);
  EXPECT_THAT(one.codes, testing::Each(BERTH_SUCCESS));
  EXPECT_THAT(one.raw, testing::Each(0));
  EXPECT_EQ(other.raw[12], 7);
  EXPECT_EQ(other.raw[13], 0);
}

// What a call of a round costs, and what it costs the other call.
struct Outcome {
  std::string filter, score;
};

Outcome in_a_round(Isolated& plugin) {
  Together together;
  Together::Round round(together);
  plugin.post(together);
  round.send();
  const std::string filter = plugin.take_filter(together);
  return {filter, plugin.take_score(together)};
}

const std::string kKilled = "the plugin's process was ended by the signal 9 (Killed)";

TEST(IsolatedRound, CrashInTheSecondCallCostsThatCall) {
  Isolated plugin("score crashes");
  const Outcome outcome = in_a_round(plugin);
  EXPECT_EQ(outcome.filter, "no error");
  EXPECT_THAT(plugin.codes, testing::Each(BERTH_SUCCESS));
  EXPECT_EQ(outcome.score, kKilled);
  EXPECT_EQ(text_of(plugin.filter()), "no error");
  EXPECT_THAT(plugin.log(), testing::ElementsAre("1 Faulty: " + kKilled +
                                                 " in a call of Score; another one was started"));
}

TEST(IsolatedRound, CrashInTheFirstCallCostsNoOther) {
  Isolated plugin("filter crashes");
  const Outcome outcome = in_a_round(plugin);
  EXPECT_EQ(outcome.filter, kKilled);
  EXPECT_EQ(outcome.score, "not begun");
  EXPECT_EQ(text_of(plugin.score()), "no error");
}

TEST(IsolatedRound, HangCostsItsCall) {
  const isolation::Options options{.deadline = std::chrono::milliseconds(kSanitized ? 2000 : 200)};
  Isolated second("score hangs", options), first("filter hangs", options);
  const std::string late = "the plugin's process was ended, because it had not answered for ";
  const Outcome of_second = in_a_round(second);
  EXPECT_EQ(of_second.filter, "no error");
  EXPECT_THAT(of_second.score, HasSubstr(late));
  const Outcome of_first = in_a_round(first);
  EXPECT_THAT(of_first.filter, HasSubstr(late));
  EXPECT_EQ(of_first.score, "not begun");
}

TEST(IsolatedRound, GarbageCostsItsCall) {
  Isolated plugin("score sends garbage");
  const Outcome outcome = in_a_round(plugin);
  EXPECT_EQ(outcome.filter, "no error");
  EXPECT_EQ(outcome.score,
            "the plugin's process was ended, because it sent garbage: a message is too long");
  EXPECT_EQ(text_of(plugin.filter()), "no error");
}

TEST(IsolatedRound, AnswersAreCheckedAndErrorsAreThoseOfTheCall) {
  Isolated unwritten("score writes nothing"), fails("filter fails"), throws("filter throws");
  EXPECT_EQ(in_a_round(unwritten).score, "plugin \"Faulty\" wrote no score at position 0 of 64");
  const Outcome failed = in_a_round(fails);
  EXPECT_EQ(failed.filter, "the rack is on fire");
  EXPECT_EQ(failed.score, "no error");
  const Outcome thrown = in_a_round(throws);
  EXPECT_EQ(thrown.filter, "plugin \"Faulty\" threw an exception in Filter: bad luck");
  EXPECT_EQ(thrown.score, "no error");
}

TEST(IsolatedRound, SkippedPluginIsSkippedWhereItFails) {
  Isolated plugin("score crashes", {.on_failure = OnFailure::kSkip});
  const Outcome outcome = in_a_round(plugin);
  EXPECT_EQ(outcome.filter, "no error");
  EXPECT_EQ(outcome.score, "no error");
  EXPECT_THAT(plugin.raw, testing::Each(BERTH_NOT_SCORED));
}

// A process that has to be started or set up again is so by a call by itself.
TEST(IsolatedRound, ProcessThatIsGoneGetsNoCalls) {
  Isolated plugin("filter crashes");
  EXPECT_EQ(text_of(plugin.filter()), kKilled);
  EXPECT_EQ(messages([&] { EXPECT_EQ(in_a_round(plugin).score, "not begun"); }), 0u);
  EXPECT_EQ(text_of(plugin.score()), "no error");
}

// The round ends when the calls have; the process goes on.
TEST(IsolatedRound, CallsThatNobodyTakesAreMade) {
  Isolated plugin("filter interns");
  Together together;
  {
    Together::Round round(together);
    plugin.post(together);
    round.send();
  }
  EXPECT_EQ(plugin.take_score(together), "not begun") << "the round is over";
  EXPECT_EQ(text_of(plugin.score()), "no error");
  EXPECT_THAT(plugin.log(), testing::IsEmpty());
}

// The fault of the second call is that of the first; the state of the template outlives it.
TEST(Isolation, StatesAreMadeAgain) {
  Isolated plugin("score crashes");
  Prepared prepared;
  ASSERT_FALSE(plugin.prepare(prepared));
  ASSERT_FALSE(plugin.filter(prepared.state()));
  EXPECT_TRUE(plugin.score());
  EXPECT_EQ(text_of(plugin.filter(prepared.state())), "no error");
}

TEST(Isolation, SystemIsOutOfReachUnlessAllowed) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer's runtime needs files, so nothing is restricted";
  const std::string fault = "filter tells what it can do";
  EXPECT_EQ(text_of(Isolated(fault).filter()), "nothing");
  EXPECT_EQ(text_of(Isolated(fault, {.files = true}).filter()), "files");
  EXPECT_EQ(text_of(Isolated(fault, {.network = true}).filter()), "network");
}

TEST(Isolation, PluginThatCannotBeLoadedInItsMemoryIsRefused) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer's runtime needs memory, so nothing is limited";
  try {
    const Isolated plugin("filter fails", {.memory = 64 << 10});
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("64 KiB"));
  }
}

TEST(Isolation, ErrorsAtTheStartAreThoseOfLoading) {
  const auto load = [](const char* plugin, isolation::Options options) {
    try {
      isolation::load_isolated(SealedFile(ScratchFolder::built(plugin)), options);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("loaded");
  };
  EXPECT_EQ(load("no_descriptor", {.program = program()}),
            "plugin \"Identity\" returned no descriptor from berth_plugin_entry_v1");
  EXPECT_EQ(load("good", {.program = "/bin/false"}),
            "the plugin's process ended by itself with the status 1 while it loaded the plugin");
  EXPECT_THAT(load("good", {.program = "/nowhere/berth-plugin-host"}),
              HasSubstr("cannot be started: /nowhere/berth-plugin-host: No such file"));
  EXPECT_THAT(load("sleeps_at_start",
                   {.program = program(), .start_deadline = std::chrono::milliseconds(100)}),
              HasSubstr("has not loaded the plugin in time, which is 100 ms"));
}

// The error of the first call of an instance whose process answers with garbage.
std::string garbage(const std::string& which) {
  const ScratchFolder folder;
  FakeEnvironment fake;
  try {
    const Instance instance(
        isolation::load_isolated(SealedFile(folder.plugin("good", which)),
                                 {.program = BERTH_BUILD_DIR "/test/garbage_host"}),
        fake.environment, fake.calls, {});
  } catch (const Error& error) {
    return error.message();
  }
  return "started";
}

TEST(Isolation, GarbageEndsTheProcess) {
  const std::string begin =
      "plugin \"Identity\" threw an exception in create: the plugin's process was ended, because "
      "it sent garbage: ";
  EXPECT_EQ(garbage("long"), begin + "a message is too long");
  EXPECT_EQ(garbage("short"), begin + "a message is too short");
  EXPECT_EQ(garbage("empty"), begin + "a message is too short");
  EXPECT_EQ(garbage("unknown"), begin + "a question is not known");
  EXPECT_EQ(garbage("unasked"), begin + "a service is used that was not looked up");
}

// The program is gone after the first start.
TEST(IsolationDeathTest, ProcessThatDoesNotStartAgainEndsTheRun) {
  if (kSanitized) GTEST_SKIP() << "a process that forks and exits takes long under sanitizers";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    const ScratchFolder folder;
    const auto copy = folder.path() / "host";
    std::filesystem::copy_file(program(), copy);
    Isolated plugin("filter crashes", {.program = copy});
    std::filesystem::remove(copy);
    for (int i = 0; i <= isolation::kMostStarts; ++i) static_cast<void>(text_of(plugin.filter()));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(70),
              "the plugin's process could not be started 3 times in a row: .*No such file");
}

}  // namespace
}  // namespace berth::host
