#include "engine/validator/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/host/faults/ended_by_plugin.h"
#include "engine/host/faults/fault_line.h"

namespace berth::validator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostErrors = 64 * 1024;
constexpr std::string_view kFaultPrefix = "berth: error: ";

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string("cannot start a process for a check: ") + what + ": " +
              std::strerror(errno));
}

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("pipe");
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close(size_t end) { ::close(std::exchange(ends[end], -1)); }

  std::array<int, 2> ends{-1, -1};  // to read, to write
};

// The child's time is over: names the function of the plugin that it is in.
void on_deadline(int) {
  if (const host::PluginFunction* function = host::InPlugin::current()) {
    host::FaultLine line;
    line.plugin(*function) << " did not return from " << function->function;
    line.write();
  }
  for (;;) ::syscall(SYS_exit_group, 70);
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<size_t>(count));
  }
}

[[noreturn]] void be_child(const std::function<std::string()>& work, const ChildOptions& options,
                           Pipe& record, Pipe& errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGUSR1, on_deadline);
  ::dup2(errors.ends[1], STDOUT_FILENO);
  ::dup2(errors.ends[1], STDERR_FILENO);
  record.close(0);
  errors.close(0);
  errors.close(1);
  host::note_process();
  const pid_t self = ::getpid();
  const std::string made = work();
  if (::getpid() != self) ::_exit(0);  // a plugin forked it
  write_all(record.ends[1], made);
  record.close(1);
  if (options.ends_by_exit) std::exit(0);
  ::_exit(0);
}

// Appends what can be read. False: the other side is closed.
bool read_some(int from, std::string& text, size_t most) {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(from, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  if (text.size() < most) text.append(buffer.data(), static_cast<size_t>(count));
  return count != 0;
}

class Watch {
 public:
  Watch(pid_t child, Pipe& record, Pipe& errors, const ChildOptions& options)
      : child_(child), record_(record), errors_(errors), end_(Clock::now() + options.limit) {}

  Ended run() {
    const bool in_time = wait_until(end_);
    if (!in_time) {
      ::kill(child_, SIGUSR1);
      if (!wait_until(Clock::now() + std::chrono::seconds(1))) ::kill(child_, SIGKILL);
    }
    if (!reaped_) ::waitpid(child_, &status_, 0);
    ::kill(-child_, SIGKILL);  // what it started
    if (open_[1]) read_rest();
    Ended ended;
    ended.trouble = trouble(in_time);
    if (ended.trouble.empty()) ended.record = std::move(record_text_);
    return ended;
  }

 private:
  // Reads both pipes until the child has ended. False: it has not by then.
  bool wait_until(Clock::time_point end) {
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
      if (left.count() <= 0) return false;
      // A child that has closed its record ends soon: then its end is what is waited for.
      read_for(open_[0] ? left : std::chrono::milliseconds(1));
      if (!open_[0] && ::waitpid(child_, &status_, WNOHANG) == child_) return reaped_ = true;
    }
  }

  void read_for(std::chrono::milliseconds most) {
    std::array<pollfd, 2> polled{{{open_[0] ? record_.ends[0] : -1, POLLIN, 0},
                                  {open_[1] ? errors_.ends[0] : -1, POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), static_cast<int>(most.count())) <= 0) return;
    if (polled[0].revents != 0) open_[0] = read_some(record_.ends[0], record_text_, SIZE_MAX);
    if (polled[1].revents != 0) open_[1] = read_some(errors_.ends[0], error_text_, kMostErrors);
  }

  void read_rest() {
    ::fcntl(errors_.ends[0], F_SETFL, O_NONBLOCK);
    while (read_some(errors_.ends[0], error_text_, kMostErrors)) {
    }
  }

  // The last line about a fault, without its prefix; empty: there is none.
  std::string fault_line() const {
    const size_t at = error_text_.rfind(kFaultPrefix);
    if (at == std::string::npos) return {};
    const size_t begin = at + kFaultPrefix.size();
    return error_text_.substr(begin, error_text_.find('\n', begin) - begin);
  }

  std::string trouble(bool in_time) const {
    const bool killed = WIFSIGNALED(status_);
    if (in_time && !killed && WEXITSTATUS(status_) == 0 && !record_text_.empty()) return {};
    std::string line = fault_line();
    if (!in_time) return line.empty() ? "it did not return, and nothing shows from where" : line;
    if (!line.empty()) return line;
    if (killed) {
      const char* name = ::sigabbrev_np(WTERMSIG(status_));
      return std::string("the process was killed by SIG") + (name != nullptr ? name : "?");
    }
    return "the process ended with status " + std::to_string(WEXITSTATUS(status_)) +
           " before the check was over";
  }

  pid_t child_;
  Pipe& record_;
  Pipe& errors_;
  Clock::time_point end_;
  std::array<bool, 2> open_{true, true};
  int status_ = 0;
  bool reaped_ = false;
  std::string record_text_, error_text_;
};

}  // namespace

Ended run_in_child(const std::function<std::string()>& work, const ChildOptions& options) {
  Pipe record, errors;
  std::fflush(nullptr);  // what is buffered would be written twice
  const pid_t child = ::fork();
  if (child < 0) refuse("fork");
  if (child == 0) be_child(work, options, record, errors);
  record.close(1);
  errors.close(1);
  return Watch(child, record, errors, options).run();
}

}  // namespace berth::validator
