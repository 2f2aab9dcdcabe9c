// Counterpart of data_race.cc: accesses that TBB orders must not be reported.

#include <tbb/blocked_range.h>
#include <tbb/concurrent_queue.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <cstdio>
#include <functional>
#include <vector>

int main() {
  std::vector<long> values(10'000);
  tbb::concurrent_queue<size_t> done;
  for (int round = 0; round < 20; ++round) {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, values.size(), 1),
                      [&](const tbb::blocked_range<size_t>& range) {
                        for (size_t i = range.begin(); i != range.end(); ++i) ++values[i];
                        done.push(range.size());
                      });
  }
  const long sum = tbb::parallel_reduce(
      tbb::blocked_range<size_t>(0, values.size(), 1), 0L,
      [&](const tbb::blocked_range<size_t>& range, long total) {
        for (size_t i = range.begin(); i != range.end(); ++i) total += values[i];
        return total;
      },
      std::plus<>());
  std::puts(sum == 200'000 ? "no race" : "wrong sum");
  return 0;
}
