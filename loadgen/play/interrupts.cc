#include "loadgen/play/interrupts.h"

#include <atomic>
#include <csignal>

namespace berth::loadgen {
namespace {

// Written by a signal handler, which may only use lock-free atomics.
std::atomic<int> count{0};
std::atomic<int> first{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note_signal(int number) {
  int none = 0;
  first.compare_exchange_strong(none, number, std::memory_order_relaxed);
  count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_signal;  // without SA_RESTART, so that blocking calls return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

int interrupts() { return count.load(std::memory_order_relaxed); }
int interrupt_signal() { return first.load(std::memory_order_relaxed); }

}  // namespace berth::loadgen
