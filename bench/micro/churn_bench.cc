// Measures what a node that comes or goes costs: the event, and the decision after it, which sees
// the nodes in their new order. All nodes are scored, and the pods are of one kind, so that a
// decision without such an event costs a microsecond or two.
//
//   BM_ANodeGoes   one of the nodes, drawn anew each time, goes. It comes back before the next one
//                  does, outside of the measured time.
//   BM_ANodeComes  the other half of it.
//
// event_us, decision_us: mean time of the event alone, and of the decision after it.

#include <benchmark/benchmark.h>

#include <chrono>

#include "bench/micro/steady_bench.h"
#include "engine/base/draw.h"

namespace {

using namespace berth;
using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

class Churn {
 public:
  explicit Churn(const benchmark::State& state) : cluster_(of(state)) {}

  void go() {
    node_ = static_cast<uint32_t>(below(draw(1, ++number_, 0, Purpose::kLoad), nodes()));
    run(model::deleted(cluster_.node(node_)));
  }
  void come() { run(model::added(cluster_.node(node_))); }

  double last() const { return event_ + decision_; }
  void count() {
    events_ += event_;
    decisions_ += decision_;
  }
  void report(benchmark::State& state) const {
    if (cluster_.failed() != 0) state.SkipWithError("a pod was not placed");
    const auto mean = benchmark::Counter::kAvgIterations;
    state.counters["event_us"] = benchmark::Counter(events_ * 1e6, mean);
    state.counters["decision_us"] = benchmark::Counter(decisions_ * 1e6, mean);
  }

 private:
  static bench::SteadyCluster& of(const benchmark::State& state) {
    bench::SteadyOptions options;
    options.nodes = static_cast<uint32_t>(state.range(0));
    options.zones = static_cast<uint32_t>(state.range(1));
    options.load = static_cast<bench::Load>(state.range(2));
    options.pods_per_node = 1;
    options.percentage = 100;
    return bench::filled_cluster(options, 512);
  }
  uint32_t nodes() const { return cluster_.core().cluster().nodes().rows(); }

  void run(const model::Change& event) {
    cluster_.refill();
    const auto begin = Clock::now();
    cluster_.core().door().apply(event, "");
    const auto between = Clock::now();
    cluster_.step();
    event_ = seconds(begin, between);
    decision_ = seconds(between, Clock::now());
  }

  bench::SteadyCluster& cluster_;
  uint64_t number_ = 0;
  uint32_t node_ = 0;
  double event_ = 0, decision_ = 0;
  double events_ = 0, decisions_ = 0;
};

void measure(benchmark::State& state, bool goes) {
  Churn churn(state);
  for (auto _ : state) {
    churn.go();
    if (goes) {
      state.SetIterationTime(churn.last());
      churn.count();
    }
    churn.come();
    if (goes) continue;
    state.SetIterationTime(churn.last());
    churn.count();
  }
  churn.report(state);
}

void BM_ANodeGoes(benchmark::State& state) { measure(state, true); }
void BM_ANodeComes(benchmark::State& state) { measure(state, false); }

constexpr auto kPlain = static_cast<int64_t>(bench::Load::kPlain);
constexpr auto kSpread = static_cast<int64_t>(bench::Load::kTopologySpreading);

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"nodes", "zones", "load"})
      ->Args({1000, 3, kPlain})
      ->Args({100000, 1, kPlain})
      ->Args({100000, 3, kPlain})
      ->Args({100000, 30, kPlain})
      ->Args({100000, 3, kSpread})
      ->Unit(benchmark::kMicrosecond)
      ->UseManualTime();
}

BENCHMARK(BM_ANodeGoes)->Apply(sizes);
BENCHMARK(BM_ANodeComes)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
