#include "engine/validator/child.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "engine/host/faults/in_plugin.h"

namespace berth::validator {
namespace {

constexpr ChildOptions kShort{.limit = std::chrono::milliseconds(300), .ends_by_exit = false};

Ended run(const std::function<std::string()>& work) { return run_in_child(work, {}); }

TEST(Child, ReturnsItsRecord) {
  const Ended ended = run([] { return std::string("p a record\nof two lines"); });
  EXPECT_EQ(ended.record, "p a record\nof two lines");
  EXPECT_EQ(ended.trouble, "");
}

TEST(Child, LongRecordsAndOutput) {
  const std::string long_text(1 << 20, 'x');
  const Ended ended = run([&] {
    std::fputs(long_text.c_str(), stdout);
    std::fputs(long_text.c_str(), stderr);
    return long_text;
  });
  EXPECT_EQ(ended.record.size(), long_text.size());
  EXPECT_EQ(ended.trouble, "");
}

TEST(Child, ASignalIsNamed) {
  const Ended ended = run([]() -> std::string {
    ::raise(SIGTERM);
    return "p";
  });
  EXPECT_EQ(ended.trouble, "the process was killed by SIGTERM");
  EXPECT_EQ(ended.record, "");
}

TEST(Child, AnEndBeforeTheRecord) {
  const Ended ended = run([]() -> std::string {
    ::syscall(SYS_exit_group, 0);
    return "p";
  });
  EXPECT_EQ(ended.trouble, "the process ended with status 0 before the check was over");
}

// The line about a fault says more than the status.
TEST(Child, TheLastFaultLineCounts) {
  const Ended ended = run([]() -> std::string {
    std::fputs("berth: error: first\nberth: error: plugin \"X\" crashed\nmore\n", stderr);
    std::fflush(stderr);
    ::syscall(SYS_exit_group, 70);
    return "p";
  });
  EXPECT_EQ(ended.trouble, "plugin \"X\" crashed");
}

TEST(Child, ADeadlineNamesTheFunction) {
  const Ended ended = run_in_child(
      []() -> std::string {
        const host::PluginFunction function{"Rack", "Filter", ""};
        const host::InPlugin scope(function);
        for (;;) ::poll(nullptr, 0, 1000);
      },
      kShort);
  EXPECT_EQ(ended.trouble, "plugin \"Rack\" did not return from Filter");
}

TEST(Child, WhoIgnoresTheDeadlineIsKilled) {
  const Ended ended = run_in_child(
      []() -> std::string {
        std::signal(SIGUSR1, SIG_IGN);
        for (;;) ::poll(nullptr, 0, 1000);
      },
      kShort);
  EXPECT_EQ(ended.trouble, "it did not return, and nothing shows from where");
}

TEST(Child, ExitRunsWhatWasRegistered) {
  const auto work = [] {
    std::atexit([] { ::syscall(SYS_exit_group, 9); });
    return std::string("p");
  };
  EXPECT_EQ(run(work).trouble, "");
  EXPECT_EQ(run_in_child(work, {.ends_by_exit = true}).trouble,
            "the process ended with status 9 before the check was over");
}

}  // namespace
}  // namespace berth::validator
