// Measures whole decisions for pods with rules about other pods, through the ABI with the default
// plugins, all nodes scored: queue, filters, scores, pick, commit, binding in batches (output
// discarded), and the removal of an old pod. The loads are those of kube-scheduler's benchmark.
//
//   LOAD/nodes/others/groups: half as many pods of the load as nodes are placed, and `others` pods
//   without rules. The rules of a pod match the pods of its group, so `groups` is the number of
//   distinct queries.
//
// allocations: malloc calls per decision on the deciding thread, including plugins.

#include <benchmark/benchmark.h>

#include <algorithm>

#include "bench/micro/steady_bench.h"

namespace {

using namespace berth;
using bench::Load;

void decide(benchmark::State& state, Load load) {
  bench::SteadyOptions options;
  options.nodes = static_cast<uint32_t>(state.range(0));
  options.others = static_cast<uint32_t>(state.range(1));
  options.groups = static_cast<uint32_t>(state.range(2));
  options.related = options.nodes / 2;
  options.percentage = 100;
  options.load = load;
  // Warm up until each group has been seen, because first use prepares queries.
  const uint32_t warm_up = 2 * std::max<uint32_t>(options.groups, 64);
  bench::measure_decisions(state, bench::filled_cluster(options, warm_up));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"nodes", "others", "groups"})->Unit(benchmark::kMicrosecond);
  for (int64_t nodes : {1000, 5000, 20'000, 100'000}) benchmark->Args({nodes, 0, 1});
  for (int64_t others : {10'000, 100'000}) benchmark->Args({5000, others, 1});
  for (int64_t groups : {10, 100, 1000}) benchmark->Args({5000, 0, groups});
}

#define BERTH_LOAD(Name) BENCHMARK_CAPTURE(decide, Name, Load::k##Name)->Apply(sizes)
BERTH_LOAD(Plain);
BERTH_LOAD(TopologySpreading);
BERTH_LOAD(PreferredTopologySpreading);
BERTH_LOAD(DefaultTopologySpreading);
BERTH_LOAD(PodAntiAffinity);
BERTH_LOAD(PodAffinity);
BERTH_LOAD(PreferredPodAffinity);
BERTH_LOAD(PreferredPodAntiAffinity);
BERTH_LOAD(RequiredPodAntiAffinityWithNSSelector);
#undef BERTH_LOAD

}  // namespace

BENCHMARK_MAIN();
