#include "bench/macro/run/child.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/memory/allocator.h"
#include "engine/host/faults/ended_by_plugin.h"

namespace berth::bench {
namespace {

// Exit statuses of a child that wrote its result or its error. Any other status, including 0, comes
// from code that ended the process.
constexpr int kReturned = 80, kThrew = 81;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
    if (written < 0 && errno != EINTR) fail("what a run returned");
  }
}

// Called first in a child: makes the kernel kill it when its parent ends. `parent` is getpid() of
// the parent, taken before the fork.
void end_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);  // the parent ended before prctl
  leave_interrupts_to_parent();
  host::note_process();
}

[[noreturn]] void run_child(const std::function<std::string()>& work, int file) {
  int status = kReturned;
  try {
    write_all(file, work());
  } catch (const std::exception& error) {
    status = kThrew;
    try {
      write_all(file, error.what());
    } catch (const std::exception&) {
      status = EXIT_FAILURE;
    }
  }
  std::fflush(nullptr);
  // Skip destructors, which might wait for threads of libraries.
  _exit(status);
}

// The error whose what() is `text`: the message, and below it a line for each detail.
Error error_of(const std::string& text) {
  std::istringstream lines(text);
  std::string message;
  std::getline(lines, message);
  std::vector<std::string> details;
  for (std::string line; std::getline(lines, line);)
    details.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return {Place{}, message, details};
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by {}", strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

}  // namespace

Returned::Returned() : file_(memfd_create("berth-bench results", MFD_CLOEXEC)) {
  if (file_.number() < 0) fail("memfd_create");
}

void Returned::add(const std::function<std::string()>& work) {
  std::fflush(nullptr);
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    end_with_parent(self);
    take_heap_after_fork();
    prepare_pages_ahead();
    run_child(work, file_.number());
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  // Both processes share the file offset, which is now at the end of the child's output.
  const auto size = static_cast<size_t>(lseek(file_.number(), 0, SEEK_CUR));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kReturned) {
    ends_.push_back(size);
    return;
  }
  const std::string message = read(end(), size);
  if (ftruncate(file_.number(), static_cast<off_t>(end())) != 0 ||
      lseek(file_.number(), static_cast<off_t>(end()), SEEK_SET) < 0)
    fail("what runs returned");
  if (WIFEXITED(status) && WEXITSTATUS(status) == kThrew) throw error_of(message);
  throw Error("the process of the run " + ending(status));
}

std::string Returned::operator[](size_t i) const {
  return read(i == 0 ? 0 : ends_[i - 1], ends_[i]);
}

std::string Returned::read(size_t begin, size_t end) const {
  std::string text(end - begin, '\0');
  for (size_t done = 0; done < text.size();) {
    const ssize_t got = pread(file_.number(), text.data() + done, text.size() - done,
                              static_cast<off_t>(begin + done));
    if (got > 0) done += static_cast<size_t>(got);
    if (got == 0 || (got < 0 && errno != EINTR)) fail("what a run returned");
  }
  return text;
}

}  // namespace berth::bench
