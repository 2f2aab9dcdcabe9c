#include "engine/host/faults/process_copy.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"

namespace berth::host {

namespace {

constinit std::atomic<pid_t> original = 0;

}  // namespace

pid_t original_process() { return original.load(); }

void note_original_process() {
  original.store(::getpid());
  static volatile uint8_t* page = nullptr;
  if (page == nullptr) {
    const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    if (::madvise(memory, size, MADV_WIPEONFORK) != 0) {
      ::munmap(memory, size);
      return;
    }
    page = static_cast<uint8_t*>(memory);
  }
  *page = process_copy::kOriginal;
  process_copy::mark = page;
}

void end_copy(const PluginFunction& function) {
  FaultLine line;
  line.plugin(function) << " made a copy of the process in " << function.function;
  line.pod() << " by fork, and the copy returned; the copy ends here";
  line.file(function).write();
  // The temporary files are those of the original.
  for (;;) ::syscall(SYS_exit_group, kEndedByPlugin);
}

}  // namespace berth::host
