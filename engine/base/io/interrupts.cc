#include "engine/base/io/interrupts.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>

#include "engine/base/io/new_file.h"

namespace berth {
namespace {

using Waiting = InterruptRules::Waiting;

// A handler may touch lock-free atomics. Relaxed order is enough, because no other data depends on
// them.
using Flag = std::atomic<bool>;
using Number = std::atomic<int>;
static_assert(Flag::is_always_lock_free && Number::is_always_lock_free);

Flag noted_here{false};
Flag* noted = &noted_here;  // or in memory that children share
Number signals{0};
Number first{0};
Flag second_ends{true};
std::atomic<Waiting> waiting_rule{Waiting::kThrows};

void handle(int signal) {
  int none = 0;
  first.compare_exchange_strong(none, signal, std::memory_order_relaxed);
  const bool again = signals.fetch_add(1, std::memory_order_relaxed) != 0;
  noted->store(true, std::memory_order_relaxed);
  if (!again || !second_ends.load(std::memory_order_relaxed)) return;
  remove_temporary_files();
  // The signal is blocked while its handler runs, so the default action follows its return.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Flag* shared_flag() {
  void* memory =
      ::mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  return new (memory) Flag(false);
}

}  // namespace

void note_interrupts(const InterruptRules& rules) {
  if (rules.with_children && noted == &noted_here) noted = shared_flag();
  second_ends.store(rules.second_ends, std::memory_order_relaxed);
  waiting_rule.store(rules.waiting, std::memory_order_relaxed);
  struct sigaction action = {};
  action.sa_handler = handle;
  if (rules.waiting == Waiting::kResumes) action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void leave_interrupts_to_parent() { second_ends.store(false, std::memory_order_relaxed); }

bool interrupted() { return noted->load(std::memory_order_relaxed); }

bool interrupt_ends_waits() {
  return waiting_rule.load(std::memory_order_relaxed) == Waiting::kThrows && interrupted();
}

int interrupts() { return signals.load(std::memory_order_relaxed); }

int first_interrupt() { return first.load(std::memory_order_relaxed); }

}  // namespace berth
