#pragma once

// The threads that evaluate rows together with the deciding one: an arena of oneTBB with a fixed
// number of slots.
//
// oneTBB starts no more threads than the machine has cores unless a tbb::global_control allows
// them. The program makes that control, once, before its first Workers; nothing in the engine does.

#include <tbb/info.h>
#include <tbb/task_arena.h>

namespace berth::framework {

class Workers {
 public:
  // `threads` is 1 or more and counts the caller's.
  explicit Workers(int threads) : threads_(threads), arena_(threads, 1) {}

  // As many as this process may use cores.
  static int threads_of_the_machine() { return tbb::info::default_concurrency(); }

  int threads() const { return threads_; }
  tbb::task_arena& arena() { return arena_; }

 private:
  int threads_;
  tbb::task_arena arena_;
};

}  // namespace berth::framework
