// Two tasks of TBB write one variable: ThreadSanitizer has to say so. The tasks wait for each
// other, so that they run on two threads, and many times over, as a single race may pass unseen.

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
          // Bounded: with a single worker both tasks come to the same thread.
          for (int i = 0; i < 1'000'000 && arrived.load(std::memory_order_relaxed) < 2; ++i) {
          }
          ++shared;
        },
        tbb::simple_partitioner());
  }
  std::printf("%ld\n", shared);
  return 0;
}
