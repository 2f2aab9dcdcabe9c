#include "tests/soak/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "engine/base/error.h"

namespace berth::soak {
namespace {

[[noreturn]] void refuse(std::string_view what, int error) {
  throw Error(fmt::format("{}: {}", what, std::strerror(error)));
}

pid_t spawn(const std::vector<std::string>& words, int input) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t id = -1;
  const int error = posix_spawn(&id, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) refuse(words[0], error);
  return id;
}

}  // namespace

Process::Process(const std::vector<std::string>& words) {
  // A program that ended is an Error of write().
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse("a pipe", errno);
  const Descriptor read_end(ends[0]);
  input_ = std::make_unique<FileSink>(Descriptor(ends[1]), words[0]);
  id_ = spawn(words, ends[0]);
}

Process::~Process() {
  if (id_ < 0) return;
  input_.reset();
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

uint64_t Process::resident_bytes() const {
  uint64_t total = 0, resident = 0;
  std::ifstream(fmt::format("/proc/{}/statm", id_)) >> total >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void Process::finish() {
  input_.reset();
  int status = 0;
  if (waitpid(std::exchange(id_, -1), &status, 0) < 0) refuse("the program's end", errno);
  if (WIFSIGNALED(status)) {
    throw Error(fmt::format("the program was ended by signal {}", WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("the program ended with status {}", WEXITSTATUS(status)));
  }
}

}  // namespace berth::soak
