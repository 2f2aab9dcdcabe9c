// Plugins in processes of their own: what a crash, a hang and an exit cost, and what the process
// may do. That calls and their checks are the same is shown by isolated_host, which runs the other
// tests.

#include "engine/isolation/engine/isolation.h"

#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <vector>

#include "engine/base/sanitized.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

using isolation::OnFailure;
using testing::HasSubstr;

const std::filesystem::path& program() {
  static const std::filesystem::path path = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host";
  return path;
}

// An instance of the plugin `Faulty` in a process of its own, and a call over some positions.
class Isolated {
 public:
  explicit Isolated(const std::string& fault, isolation::Options options = {})
      : arguments_("{\"fault\": \"" + fault + "\"}"),
        instance_(load(std::move(options)), fake_.environment, fake_.calls, arguments_.get()) {
    call_.count = codes.size();
  }

  CallError filter(const void* state = nullptr) {
    call_.state = state;
    return instance_.filter()->call(fake_.calls, call_, codes);
  }
  CallError score() { return instance_.score()->call(fake_.calls, call_, raw); }
  CallError prepare(Prepared& prepared) {
    return instance_.filter()->prepare(fake_.calls, {}, prepared);
  }

  const std::vector<std::string>& log() const { return fake_.log.lines; }

  std::array<uint8_t, 64> codes{};
  std::array<int64_t, 64> raw{};

 private:
  static std::shared_ptr<const Library> load(isolation::Options options) {
    if (options.program.empty()) options.program = program();
    return isolation::load_isolated(SealedFile(ScratchFolder::built("faulty")), options);
  }

  FakeEnvironment fake_;
  TextArguments arguments_;
  Instance instance_;
  berth_call call_{};
};

std::string text_of(const CallError& error) { return error ? error.text() : "no error"; }

TEST(Isolation, CrashCostsTheCallAndTheProcessIsStartedAgain) {
  Isolated plugin("filter crashes");
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(plugin.score());
    EXPECT_EQ(plugin.raw[0], 0);
    EXPECT_EQ(text_of(plugin.filter()), "the plugin's process was ended by the signal 9 (Killed)");
  }
  EXPECT_FALSE(plugin.score());
  EXPECT_THAT(plugin.log(), testing::ElementsAre(testing::_,
                                                 "1 Faulty: the plugin's process was ended by the "
                                                 "signal 9 (Killed); another one was started"));
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
  EXPECT_THAT(plugin.log(),
              testing::ElementsAre("1 Faulty: " + ended + "; another one was started"));
  EXPECT_EQ(text_of(Isolated("filter wants memory").filter()), "a gibibyte is there");
}

TEST(Isolation, SkippedPluginRefusesNothing) {
  Isolated plugin("filter crashes", {.on_failure = OnFailure::kSkip});
  EXPECT_FALSE(plugin.filter());
  EXPECT_THAT(plugin.codes, testing::Each(BERTH_SUCCESS));
  EXPECT_THAT(plugin.log(),
              testing::ElementsAre("1 Faulty: the plugin's process was ended by the signal 9 "
                                   "(Killed); the plugin is skipped for this call"));
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
  EXPECT_EQ(garbage("unknown"), begin + "a service is used that was not looked up");
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
