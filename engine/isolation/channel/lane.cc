#include "engine/isolation/channel/lane.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "engine/base/assert.h"
#include "engine/base/program/cores.h"

namespace berth::isolation {
namespace {

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Not private: the word is shared between processes.
void futex_wait(std::atomic<uint32_t>& word, uint32_t value, std::chrono::nanoseconds at_most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const timespec time = {static_cast<time_t>(seconds.count()),
                         static_cast<long>((at_most - seconds).count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

void futex_wake(std::atomic<uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool several_cores() {
  static const bool several = usable_cores() != 1;
  return several;
}

using Clock = std::chrono::steady_clock;

bool spin_for(const Turn& turn, uint32_t seen, std::chrono::nanoseconds spin) {
  constexpr int kLooksPerClock = 64;
  const Clock::time_point begin = Clock::now();
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (turn.posted.load(std::memory_order_acquire) != seen) return true;
      relax();
    }
  } while (Clock::now() - begin < spin);
  return false;
}

}  // namespace

// The receiver announces its sleep and then looks at `posted` again (in the kernel); the sender
// counts and then looks at `sleeping`. Both are sequentially consistent, so one of them sees the
// other's write, and no wake-up is lost.
void post(Turn& turn) {
  turn.posted.fetch_add(1, std::memory_order_seq_cst);
  if (turn.sleeping.load(std::memory_order_seq_cst) != 0) futex_wake(turn.posted);
}

bool wait(Turn& turn, uint32_t seen, Spin& spin, std::chrono::milliseconds at_most) {
  if (turn.posted.load(std::memory_order_acquire) != seen) return true;
  if (const auto time = spin.next(); time.count() != 0) {
    const bool in_time = spin_for(turn, seen, time);
    spin.ended(in_time);
    if (in_time) return true;
  }
  const Clock::time_point end = Clock::now() + at_most;
  turn.sleeping.store(1, std::memory_order_seq_cst);
  while (turn.posted.load(std::memory_order_seq_cst) == seen) {
    const auto left = end - Clock::now();
    if (left.count() <= 0) break;
    futex_wait(turn.posted, seen, left);
  }
  turn.sleeping.store(0, std::memory_order_seq_cst);
  return turn.posted.load(std::memory_order_acquire) != seen;
}

Spin::Spin(std::chrono::nanoseconds most)
    : most_(several_cores() ? most : std::chrono::nanoseconds(0)) {}

std::chrono::nanoseconds Spin::next() { return ++count_ % kFullEach == 0 ? most_ : now_; }

void Spin::ended(bool in_time) {
  BERTH_ASSERT(now_ <= most_);
  now_ = in_time ? most_ : now_ / 2;
}

}  // namespace berth::isolation
