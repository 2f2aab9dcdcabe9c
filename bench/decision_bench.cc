// Whole decisions through the ABI, default plugins: queue, filters, scores, pick, commit and
// binding in batches (to nowhere), and the removal of an old pod. Pods enter the queue 256 at once.
//
//   BM_Decide/nodes/percentage/templates: 0 % is the adaptive rule.
//   BM_DecideWithForeignFit/percentage: 5,000 nodes, one plugin from elsewhere; against BM_Decide.
//   BM_DecideOnThreads/nodes/threads: all nodes scored, every piece of work split, however small;
//   against one thread it shows from how many rows on that pays (FullOptions::parallel_from).
//
// allocations: calls of malloc per decision on the deciding thread, plugins included; without what
// the queue takes in.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include "bench/steady_bench.h"
#include "tests/runtime/folder.h"

namespace {

using namespace berth;

void BM_Decide(benchmark::State& state) {
  bench::SteadyOptions options;
  options.nodes = static_cast<uint32_t>(state.range(0));
  options.percentage = static_cast<int32_t>(state.range(1));
  options.templates = static_cast<uint32_t>(state.range(2));
  if (options.nodes > 5000) options.pods_per_node = 1;
  bench::measure_decisions(state, bench::filled_cluster(options));
}
BENCHMARK(BM_Decide)
    ->ArgNames({"nodes", "percentage", "templates"})
    ->ArgsProduct({{1000, 5000, 50000}, {0, 100}, {1, 10}})
    ->Unit(benchmark::kMicrosecond);

// The filter and the score of NodeResourcesFit from a shared object that was built under another id
// and as another file: what a third party's plugin of the same code gets.
void BM_DecideWithForeignFit(benchmark::State& state) {
  tests::PluginFolder folder;
  folder.add_shipped_but("node_resources_fit");
  folder.add_of_tests("cycle_other_fit", "something_else.so");
  bench::SteadyOptions options;
  options.percentage = static_cast<int32_t>(state.range(0));
  bench::SteadyCluster cluster(options, folder.discover());
  cluster.fill();
  bench::measure_decisions(state, cluster);
}
BENCHMARK(BM_DecideWithForeignFit)
    ->ArgName("percentage")
    ->Arg(0)
    ->Arg(100)
    ->Unit(benchmark::kMicrosecond);

void BM_DecideOnThreads(benchmark::State& state) {
  bench::SteadyOptions options;
  options.nodes = static_cast<uint32_t>(state.range(0));
  options.percentage = 100;
  options.pods_per_node = 1;
  const auto threads = static_cast<int>(state.range(1));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(threads));
  framework::Workers workers(threads);
  options.full.workers = &workers;
  options.full.parallel_from = 1;
  options.full.grain = static_cast<uint32_t>(state.range(2));
  bench::SteadyCluster cluster(options);
  cluster.fill();
  bench::measure_decisions(state, cluster);
}
BENCHMARK(BM_DecideOnThreads)
    ->ArgNames({"nodes", "threads", "grain"})
    ->ArgsProduct({{2500, 5000, 10000, 50000}, {1, 2}, {1024, 4096}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
