#include "engine/base/io/interrupts.h"

#include <atomic>
#include <csignal>

namespace berth {
namespace {

// A handler may touch lock-free atomics. Nothing else is published by the flag.
std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void handle(int number) {
  if (!noted.exchange(true, std::memory_order_relaxed)) return;
  // The signal is blocked while its handler runs, so the default action follows its return.
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

void note_interrupts() {
  struct sigaction action = {};
  action.sa_handler = handle;  // without SA_RESTART: calls that wait end
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return noted.load(std::memory_order_relaxed); }

}  // namespace berth
