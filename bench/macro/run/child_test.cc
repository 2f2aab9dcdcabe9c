#include "bench/macro/run/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "bench/macro/run/process_usage.h"
#include "engine/base/error.h"

namespace berth::bench {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

std::string error_of(const std::function<std::string()>& work) {
  Returned returned;
  returned.add([] { return std::string("before"); });
  std::string message = "nothing was thrown";
  try {
    returned.add(work);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(returned.size(), 1u);
  // A failed child leaves nothing in the file.
  returned.add([] { return std::string("after"); });
  EXPECT_EQ(returned[0], "before");
  EXPECT_EQ(returned[1], "after");
  return message;
}

TEST(Returned, KeepsWhatChildrenReturn) {
  Returned returned;
  const std::string large(3'000'000, 'x');
  returned.add([] { return std::string("one"); });
  returned.add([] { return std::string(); });
  returned.add([&] { return large; });
  ASSERT_EQ(returned.size(), 3u);
  EXPECT_EQ(returned[0], "one");
  EXPECT_EQ(returned[1], "");
  EXPECT_EQ(returned[2], large);
}

TEST(Returned, AnErrorKeepsItsLines) {
  const auto fails = []() -> std::string {
    throw Error({}, "it differs", {"node: n1", "what is \"a\nb\""});
  };
  const std::string text = "it differs\n  node: n1\n  what is \"a\\nb\"";
  EXPECT_EQ(error_of(fails), text);
}

TEST(Returned, IsNotInTheMemoryOfTheNextChild) {
  constexpr size_t kLarge = size_t{64} << 20;
  const auto resident = [] { return std::to_string(resident_bytes()); };
  Returned returned;
  returned.add(resident);
  returned.add([] { return std::string(kLarge, 'x'); });
  returned.add(resident);
  EXPECT_LT(std::stoull(returned[2]), std::stoull(returned[0]) + kLarge / 4);
}

TEST(Returned, ThrowsWhatAChildThrew) {
  EXPECT_EQ(error_of([]() -> std::string { throw std::runtime_error("no such plugin"); }),
            "no such plugin");
}

TEST(Returned, SaysHowAChildEndedThatDidNotReturn) {
  EXPECT_THAT(error_of([]() -> std::string {
                raise(SIGKILL);
                return "never";
              }),
              HasSubstr("was ended by Killed"));
  EXPECT_THAT(error_of([]() -> std::string { _exit(0); }), HasSubstr("ended with exit status 0"));
}

// Ends the test if it takes more than 20 seconds.
struct Patience {
  Patience() { alarm(20); }
  ~Patience() { alarm(0); }
};

// A process with a child at work. The child signals its start through a pipe; the pipe reaches its
// end when both processes are gone.
class Parent {
 public:
  // The process exits with 0 if the child returned, otherwise with 1.
  explicit Parent(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no process can be made");
    if (process_ == 0) {
      close(ends[0]);
      note_interrupts(kInterruptRules);
      Returned returned;
      returned.add([&] {
        EXPECT_EQ(write(ends[1], "b", 1), 1);
        return work();
      });
      _exit(returned[0] == "stopped" ? 0 : 1);
    }
    close(ends[1]);
    from_ = ends[0];
    char begun = 0;
    EXPECT_EQ(read(from_, &begun, 1), 1);
  }
  ~Parent() { close(from_); }

  void send(int signal) const { kill(process_, signal); }
  int status() const {
    const Patience patience;
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    return status;
  }
  // True if the child is gone as well.
  bool leaves_nobody() const {
    const Patience patience;
    char more = 0;
    return read(from_, &more, 1) == 0;
  }

 private:
  pid_t process_ = 0;
  int from_ = -1;
};

std::string until_interrupted() {
  while (!interrupted()) std::this_thread::sleep_for(milliseconds(1));
  return "stopped";
}

std::string for_ever() {
  for (;;) std::this_thread::sleep_for(milliseconds(10));
}

TEST(Interrupts, EndAChildWellIfOnlyItsParentIsSentOne) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Parent parent(until_interrupted);
    parent.send(signal);
    const int status = parent.status();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_TRUE(parent.leaves_nobody());
  }
}

TEST(Interrupts, EndParentAndChildAtOnceWhenTheyComeTwice) {
  for (const int second : {SIGINT, SIGTERM}) {
    const Parent parent(for_ever);
    parent.send(SIGINT);
    // Two pending signals of the same kind would merge.
    std::this_thread::sleep_for(milliseconds(20));
    parent.send(second);
    const int status = parent.status();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == second) << status;
    EXPECT_TRUE(parent.leaves_nobody());
  }
}

TEST(Interrupts, LeaveNoChildBehindAParentThatIsKilled) {
  const Parent parent(for_ever);
  parent.send(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(parent.status()));
  EXPECT_TRUE(parent.leaves_nobody());
}

}  // namespace
}  // namespace berth::bench
