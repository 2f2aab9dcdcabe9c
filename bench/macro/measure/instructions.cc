#include "bench/macro/measure/instructions.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace berth::bench {
namespace {

int open_event() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  constexpr int kThisThread = 0, kAnyCore = -1, kNoGroup = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyCore, kNoGroup,
                                  static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

std::string words(int error) {
  switch (error) {
    case ENOENT:
    case EOPNOTSUPP:
      return "the machine has no counter of instructions, as many virtual machines";
    case EACCES:
    case EPERM:
      return "the kernel does not permit it (kernel.perf_event_paranoid)";
    default:
      return std::strerror(error);
  }
}

}  // namespace

InstructionCounter::InstructionCounter() {
  const int event = open_event();
  if (event < 0) {
    problem_ = words(errno);
  } else {
    event_ = Descriptor(event);
  }
}

void InstructionCounter::resume() {
  if (running_ || !problem_.empty()) return;
  running_ = true;
  ioctl(event_.number(), PERF_EVENT_IOC_ENABLE, 0);
}

void InstructionCounter::pause() {
  if (!running_) return;
  running_ = false;
  ioctl(event_.number(), PERF_EVENT_IOC_DISABLE, 0);
}

std::optional<uint64_t> InstructionCounter::count() const {
  uint64_t value = 0;
  if (!problem_.empty() || read(event_.number(), &value, sizeof value) != sizeof value)
    return std::nullopt;
  return value;
}

}  // namespace berth::bench
