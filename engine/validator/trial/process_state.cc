#include "engine/validator/trial/process_state.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/base/program/cores.h"

namespace berth::validator {
namespace {

constexpr std::string_view kHandler = "handled";

std::string link_of(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::read_symlink(path, error).string();
}

std::string name_of_signal(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? "SIG" + std::string(name) : std::to_string(number);
}

std::string action_of(int number) {
  struct sigaction action = {};
  if (::sigaction(number, nullptr, &action) != 0) return "unknown";
  if (action.sa_handler == SIG_DFL) return "the default";
  return action.sa_handler == SIG_IGN ? "to ignore it" : std::string(kHandler);
}

std::string runs(int timer) {
  itimerval value = {};
  ::getitimer(static_cast<__itimer_which_t>(timer), &value);
  return value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0 ? "running" : "stopped";
}

std::string environment() {
  std::string all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one)
    all.append(*one).append(1, '\n');
  return std::to_string(std::hash<std::string>()(all));
}

std::string processors() { return std::to_string(usable_cores()) + " processors"; }

}  // namespace

void ProcessState::add(std::string name, std::string value) {
  parts_.push_back({std::move(name), std::move(value)});
}

void ProcessState::add_numbers() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  add("the file mode mask", std::to_string(mask));
  add("the priority", std::to_string(::getpriority(PRIO_PROCESS, 0)));
  add("the scheduling policy", std::to_string(::sched_getscheduler(0)));
  add("the set of processors", processors());
  add("the process group", std::to_string(::getpgrp()));
  add("the timer ITIMER_REAL", runs(ITIMER_REAL));
  add("the timer ITIMER_VIRTUAL", runs(ITIMER_VIRTUAL));
  add("the timer ITIMER_PROF", runs(ITIMER_PROF));
}

void ProcessState::add_limits() {
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit = {};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    add("the resource limit " + std::to_string(resource),
        std::to_string(limit.rlim_cur) + "/" + std::to_string(limit.rlim_max));
  }
}

void ProcessState::add_signals() {
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < 32; ++number) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    const std::string name = name_of_signal(number);
    add("the signal " + name, ::sigismember(&blocked, number) == 1 ? "blocked" : "not blocked");
    add("the action of " + name, action_of(number));
  }
  stack_t stack = {};
  ::sigaltstack(nullptr, &stack);
  add("the stack for handlers of signals", (stack.ss_flags & SS_DISABLE) != 0 ? "off" : "on");
}

void ProcessState::add_descriptors() {
  for (int number = 0; number < 3; ++number)
    add("the descriptor " + std::to_string(number),
        link_of("/proc/self/fd/" + std::to_string(number)));
}

ProcessState ProcessState::now() {
  ProcessState made;
  made.add("the working directory", link_of("/proc/self/cwd"));
  made.add("the root directory", link_of("/proc/self/root"));
  const char* locale = std::setlocale(LC_ALL, nullptr);
  made.add("the locale", locale != nullptr ? locale : "");
  made.add("the digest of the environment", environment());
  made.add_numbers();
  made.add_limits();
  made.add_signals();
  made.add_descriptors();
  return made;
}

std::optional<std::string> ProcessState::changed_since(const ProcessState& before) const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& now = parts_[i];
    const Part& then = before.parts_[i];
    if (now.value == then.value || now.value == kHandler) continue;
    return now.name + " is " + (now.value.empty() ? "closed" : now.value) + ", and was " +
           (then.value.empty() ? "closed" : then.value);
  }
  return {};
}

size_t await_children() {
  size_t count = 0;
  for (;;) {
    int status = 0;
    const pid_t child = ::waitpid(-1, &status, 0);
    if (child < 0 && errno == EINTR) continue;
    if (child < 0) return count;
    ++count;
  }
}

}  // namespace berth::validator
