#include "bench/micro/steady_bench.h"

#include <memory>

#include "bench/micro/counting_allocator.h"

namespace berth::bench {

SteadyCluster& filled_cluster(const SteadyOptions& options, uint32_t warm_up) {
  static SteadyOptions of;
  static std::unique_ptr<SteadyCluster> cluster;
  if (cluster != nullptr && of == options) return *cluster;
  cluster.reset();
  cluster = std::make_unique<SteadyCluster>(options);
  cluster->fill();
  of = options;
  for (uint32_t i = 0; i < warm_up; ++i) {
    cluster->refill();
    cluster->step();
  }
  return *cluster;
}

void measure_decisions(benchmark::State& state, SteadyCluster& cluster) {
  uint64_t allocated = 0;
  for (auto _ : state) {
    cluster.refill();
    const uint64_t before = allocations_of_this_thread();
    cluster.step();
    allocated += allocations_of_this_thread() - before;
  }
  if (cluster.failed() != 0) state.SkipWithError("a pod was not placed");
  state.SetItemsProcessed(state.iterations());
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocated), benchmark::Counter::kAvgIterations);
}

}  // namespace berth::bench
