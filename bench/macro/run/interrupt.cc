#include "bench/macro/run/interrupt.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>

namespace berth::bench {
namespace {

// Lock-free, because signal handlers use them. Relaxed order is enough, because no other data
// depends on them.
using Flag = std::atomic<bool>;
static_assert(Flag::is_always_lock_free);

Flag* noted = nullptr;  // in memory shared with children
Flag came_here{false};

void note(int) { noted->store(true, std::memory_order_relaxed); }

void note_first(int number) {
  note(number);
  if (!came_here.exchange(true, std::memory_order_relaxed)) return;
  // The second signal ends the process when this handler returns.
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void handle_with(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // interrupted calls resume; code that waits polls interrupted()
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

void note_interrupts() {
  if (noted == nullptr) {
    void* memory =
        mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    noted = new (memory) Flag(false);
  }
  handle_with(note_first);
}

bool interrupted() { return noted != nullptr && noted->load(std::memory_order_relaxed); }

void end_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent ended before prctl
  if (noted != nullptr) handle_with(note);
}

}  // namespace berth::bench
