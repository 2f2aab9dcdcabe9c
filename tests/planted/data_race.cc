// Two TBB tasks write one variable; ThreadSanitizer must report it. The tasks wait for each other,
// so that they run on two threads, and repeat, because a single race may go undetected.

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdio>

int main() {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  long shared = 0;
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> arrived = 0;
    tbb::parallel_for(
        0, 2,
        [&](int) {
          arrived.fetch_add(1, std::memory_order_relaxed);
          // Bounded, because with a single worker both tasks run on the same thread.
          for (int i = 0; i < 1'000'000 && arrived.load(std::memory_order_relaxed) < 2; ++i) {
          }
          ++shared;
        },
        tbb::simple_partitioner());
  }
  std::printf("%ld\n", shared);
  return 0;
}
