#pragma once

// What the benchmarks of decisions share.

#include <benchmark/benchmark.h>

#include "bench/steady_cluster.h"

namespace berth::bench {

// A filled cluster in which so many pods were scheduled before it counts. Kept until other options
// are asked for, since Google Benchmark comes several times to find out how long it takes.
SteadyCluster& filled_cluster(const SteadyOptions& options, uint32_t warm_up = 0);

// One decision an iteration, with the calls of malloc of this thread per decision.
void measure_decisions(benchmark::State& state, SteadyCluster& cluster);

}  // namespace berth::bench
