#include "engine/kube/credentials/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/base/text/number_text.h"

namespace berth::kube {
namespace {

using Clock = std::chrono::steady_clock;

Error system_error(const std::string& what, int number) {
  return Error(what + ": " + std::strerror(number));
}

std::pair<Descriptor, Descriptor> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw system_error("cannot make a pipe", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The beginning of the program. Sockets of this process are not for it, nor are blocked signals.
class Beginning {
 public:
  Beginning(bool stdin_passed, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    if (!stdin_passed)
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    // Only the group in front may read from the terminal.
    if (!stdin_passed) flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes_, flags);
  }
  ~Beginning() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;

  int spawn(pid_t& pid, char* const* words, char* const* environment) const {
    return posix_spawnp(&pid, words[0], &actions_, &attributes_, words, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> to;
  for (std::string& text : texts) to.push_back(text.data());
  to.push_back(nullptr);
  return to;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& env) {
  std::vector<std::string> to;
  for (const auto& [name, value] : env) to.push_back(name + "=" + value);
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view one = *at;
    const std::string_view name = one.substr(0, one.find('='));
    if (std::ranges::none_of(env, [&](const auto& own) { return own.first == name; }))
      to.emplace_back(one);
  }
  return to;
}

// The process, which is killed and reaped at the end unless it was awaited.
class Child {
 public:
  Child(const Command& command, int output) : group_(!command.stdin_passed) {
    std::vector<std::string> words = command.words, env = environment_with(command.env);
    const int fault = Beginning(command.stdin_passed, output)
                          .spawn(pid_, pointers(words).data(), pointers(env).data());
    if (fault == ENOENT) throw MissingCommand();
    if (fault != 0) throw system_error("cannot be run", fault);
    ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  }
  ~Child() {
    if (pid_ == 0) return;
    ::kill(group_ ? -pid_ : pid_, SIGKILL);
    reap();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int ended() const { return ended_.number(); }  // becomes readable then
  // Of waitpid. Waits for the end.
  int reap() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_ = 0;
  bool group_;
  Descriptor ended_;
};

// Appends what is there now. False at the end.
bool read_now(int from, std::string& to, size_t most) {
  char bytes[4096];
  for (;;) {
    const ssize_t count = ::read(from, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    to.append(bytes, static_cast<size_t>(count));
    if (to.size() > most)
      throw Error("prints more than " + plural(most, "byte") + " on standard output");
  }
}

int milliseconds_until(Clock::time_point end) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, INT32_MAX));
}

void check_status(int status) {
  if (WIFSIGNALED(status))
    throw Error("was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                strsignal(WTERMSIG(status)) + ")");
  if (WEXITSTATUS(status) != 0)
    throw Error("ended with status " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace

std::string output_of(const Command& command, int stop) {
  BERTH_ASSERT(!command.words.empty() && command.limit > Time(0));
  const auto end = Clock::now() + command.limit;
  auto [output, input] = make_pipe();
  // The program's end of the pipe does not block only because both ends were made so.
  ::fcntl(input.number(), F_SETFL, 0);
  Child child(command, input.number());
  input = Descriptor();
  std::string text;
  pollfd waits[] = {{child.ended(), POLLIN, 0}, {output.number(), POLLIN, 0}, {stop, POLLIN, 0}};
  for (;;) {
    const int ready = ::poll(waits, std::size(waits), milliseconds_until(end));
    if (ready < 0 && errno != EINTR) throw system_error("cannot wait for its end", errno);
    if (ready == 0)
      throw Error("did not end within " +
                  duration_text(std::chrono::duration<double>(command.limit).count()));
    if (ready < 0) continue;
    if (waits[2].revents != 0) throw Error("was stopped");
    if (waits[1].revents != 0 && !read_now(output.number(), text, command.most_output))
      waits[1].fd = -1;
    if (waits[0].revents != 0) break;
  }
  if (waits[1].fd >= 0) read_now(output.number(), text, command.most_output);
  check_status(child.reap());
  return text;
}

}  // namespace berth::kube
