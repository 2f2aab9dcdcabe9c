// Measures whole decisions through the ABI with the default plugins: queue, filters, scores, pick,
// commit, binding in batches (output discarded), and the removal of an old pod. Pods enter the
// queue 256 at a time.
//
//   BM_Decide/nodes/percentage/templates: 0 % is the adaptive rule.
//   BM_DecideWithForeignFit/percentage: 5,000 nodes, one plugin from a foreign file; compare
//   BM_Decide. BM_DecideOnThreads/nodes/threads: all nodes scored, all work split regardless of
//   size. Compared with one thread it shows from how many rows splitting pays
//   (FullOptions::parallel_from).
//
// allocations: malloc calls per decision on the deciding thread, including plugins, excluding the
// queueing of pods.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include "bench/micro/steady_bench.h"
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

// NodeResourcesFit's filter and score from a shared object built under another id and file name:
// the time of a third-party plugin with the same code.
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
  options.full.measured = false;
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
