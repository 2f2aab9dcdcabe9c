// Checks that a plugin leaves the process, which belongs to the host, as it is.

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

#include "engine/validator/families/families.h"
#include "engine/validator/trial/process_state.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {
namespace {

// Takes what the process prints on standard output.
class Printed {
 public:
  Printed() : file_(::memfd_create("berth standard output", MFD_CLOEXEC)) {
    if (file_ >= 0) ::dup2(file_, STDOUT_FILENO);
  }
  ~Printed() {
    if (file_ >= 0) ::close(file_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  void expect_nothing() const {
    std::fflush(stdout);
    const off_t size = file_ >= 0 ? ::lseek(file_, 0, SEEK_END) : 0;
    if (size > 0)
      throw Conviction("it printed " + std::to_string(size) +
                       " bytes on standard output, which may be the bindings");
  }

 private:
  int file_;
};

void expect_unchanged(const ProcessState& before, const char* when) {
  if (const auto change = ProcessState::now().changed_since(before))
    throw Conviction(std::string(when) + " " + *change);
}

void check_process(const Subject& subject) {
  const Printed printed;
  const ProcessState before = ProcessState::now();
  const auto library = load(subject);
  expect_unchanged(before, "after it was loaded");
  auto session = std::make_unique<Session>(subject, library);
  expect_unchanged(before, "after it made an instance");
  call_every_hook(*session);
  expect_unchanged(before, "after its hooks were called");
  session.reset();
  expect_unchanged(before, "after its instance was destroyed");
  printed.expect_nothing();
  if (const size_t count = await_children(); count != 0)
    throw Conviction("it left " + std::to_string(count) + (count == 1 ? " process" : " processes") +
                     " that it had started");
}

constexpr std::array<Check, 1> kProcessChecks = {{
    {"life.process",
     "The process belongs to the host: a plugin leaves its working directory, locale, environment, "
     "limits, priority, signals, timers and standard descriptors as they are, prints nothing on "
     "standard output, and waits for processes that it starts.",
     "abi/README.md", "calls.hooks", check_process, false, true},
}};

}  // namespace

std::span<const Check> process_checks() { return kProcessChecks; }

}  // namespace berth::validator
