#include "engine/base/io/interrupts.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/base/io/io.h"
#include "engine/base/io/new_file.h"

namespace berth {
namespace {

using Waiting = InterruptRules::Waiting;

// Every test runs in a process of its own, because rules are chosen once.
void expect_true_then_exit(bool held) { std::_Exit(held ? EXIT_SUCCESS : EXIT_FAILURE); }

TEST(Interrupts, AreNotedOnceAndTheSecondEndsTheProcess) {
  for (const int second : {SIGINT, SIGTERM}) {
    const auto two_signals = [&] {
      note_interrupts();
      if (interrupted() || first_interrupt() != 0) std::_Exit(EXIT_FAILURE);
      std::raise(SIGTERM);
      if (!interrupted() || first_interrupt() != SIGTERM) std::_Exit(EXIT_FAILURE);
      std::raise(second);
      std::_Exit(EXIT_FAILURE);
    };
    EXPECT_EXIT(two_signals(), testing::KilledBySignal(second), "");
  }
}

TEST(Interrupts, TheSecondLeavesNoTemporaryFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("interrupts-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto two_signals = [&] {
    note_interrupts();
    const NewFile file(folder / "summary.json");
    std::raise(SIGINT);
    if (fs::is_empty(folder)) std::_Exit(EXIT_FAILURE);
    std::raise(SIGINT);
  };
  EXPECT_EXIT(two_signals(), testing::KilledBySignal(SIGINT), "");
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove_all(folder);
}

TEST(Interrupts, AreOnlyCountedIfTheRulesSaySo) {
  const auto three_signals = [] {
    note_interrupts({.waiting = Waiting::kReturns, .second_ends = false});
    std::raise(SIGINT);
    std::raise(SIGTERM);
    std::raise(SIGINT);
    expect_true_then_exit(interrupts() == 3 && first_interrupt() == SIGINT);
  };
  EXPECT_EXIT(three_signals(), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

// Sends this process a signal while it reads from a pipe, and then a byte.
bool interrupted_read_throws(Waiting waiting) {
  note_interrupts({.waiting = waiting, .second_ends = false});
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::_Exit(EXIT_FAILURE);
  const pid_t reader = getpid();
  const pid_t writer = fork();
  if (writer == 0) {
    usleep(100'000);  // until the read waits
    kill(reader, SIGINT);
    usleep(100'000);
    if (write(ends[1], "x", 1) != 1) std::_Exit(EXIT_FAILURE);
    std::_Exit(EXIT_SUCCESS);
  }
  bool thrown = false;
  try {
    FileSource source("/dev/fd/" + std::to_string(ends[0]));
    std::array<uint8_t, 1> byte{};
    if (source.read(byte) != 1) std::_Exit(EXIT_FAILURE);
  } catch (const Interrupted&) {
    thrown = true;
  }
  waitpid(writer, nullptr, 0);
  return thrown;
}

TEST(Interrupts, EndAReadThatWaitsOnlyIfTheRulesSaySo) {
  EXPECT_EXIT(expect_true_then_exit(interrupted_read_throws(Waiting::kThrows)),
              testing::ExitedWithCode(EXIT_SUCCESS), "");
  EXPECT_EXIT(expect_true_then_exit(!interrupted_read_throws(Waiting::kReturns)),
              testing::ExitedWithCode(EXIT_SUCCESS), "");
  EXPECT_EXIT(expect_true_then_exit(!interrupted_read_throws(Waiting::kResumes)),
              testing::ExitedWithCode(EXIT_SUCCESS), "");
}

TEST(Interrupts, OfAChildAreKnownToItsParentIfTheRulesSaySo) {
  const auto known = [](bool with_children) {
    note_interrupts({.with_children = with_children});
    const pid_t child = fork();
    if (child == 0) {
      leave_interrupts_to_parent();
      std::raise(SIGINT);
      std::raise(SIGINT);
      std::_Exit(EXIT_SUCCESS);
    }
    int status = 0;
    waitpid(child, &status, 0);
    expect_true_then_exit(WIFEXITED(status) && interrupted() == with_children && interrupts() == 0);
  };
  EXPECT_EXIT(known(true), testing::ExitedWithCode(EXIT_SUCCESS), "");
  EXPECT_EXIT(known(false), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

}  // namespace
}  // namespace berth
