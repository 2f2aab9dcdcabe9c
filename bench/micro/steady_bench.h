#pragma once

// Shared code of the benchmarks that measure decisions.

#include <benchmark/benchmark.h>

#include "bench/micro/steady_cluster.h"

namespace berth::bench {

// Returns a filled cluster after `warm_up` decisions. It is reused while the options stay the same,
// because Google Benchmark calls a benchmark several times to find the number of iterations.
SteadyCluster& filled_cluster(const SteadyOptions& options, uint32_t warm_up = 0);

// Measures one decision per iteration, and the allocations of this thread per decision.
void measure_decisions(benchmark::State& state, SteadyCluster& cluster);

}  // namespace berth::bench
