#include "bench/macro/interrupt.h"

#include <atomic>
#include <csignal>

namespace berth::bench {
namespace {

// Set in a signal's handler, so lock-free; nothing else is published by it.
std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int) { noted.store(true, std::memory_order_relaxed); }

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  // The second one finds the default, which ends the process; calls under way are resumed.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return noted.load(std::memory_order_relaxed); }

}  // namespace berth::bench
