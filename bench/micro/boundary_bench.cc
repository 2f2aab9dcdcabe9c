// Measures the cost of the plugin boundary.
//
// With the filter of NodeResourcesFit over all rows of a cluster:
//
//   BM_ThroughTheAbi/rows: the engine's way. Collects inputs, calls the shared object, checks
//   results. BM_Inlined/rows: the same loops over the same columns, compiled into this program.
//   BM_Isolated/rows: as BM_ThroughTheAbi, with the shared object in a process of its own.
//
// The cost of the boundary is the ratio of the first two; that of isolation is the difference of
// the first and the third.
//
// With whole decisions about 5,000 nodes, all of them scored:
//
//   BM_DecideIsolated/NAMES: with these plugins in processes of their own. messages: to processes,
//   with one call or several, by decision.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/micro/steady_cluster.h"
#include "engine/base/vectorise.h"
#include "engine/framework/hooks/bound_hook.h"
#include "engine/isolation/parent/isolation.h"
#include "engine/runtime/testing/model_access.h"

namespace {

using namespace berth;

// A partly filled cluster, and a pod of one of its shapes.
class Rows {
 public:
  explicit Rows(uint32_t rows, runtime::Plugins plugins = bench::shipped_plugins())
      : cluster_(options(rows), std::move(plugins)) {
    cluster_.fill();
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = "asks";
    pod.spec.containers.resize(1);
    pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)},
                                       {"memory", model::Quantity::from_units(500 << 20)}};
    pod_ = model().record_of(pod);
    verdicts_.resize((rows + 63) / 64 * 64);
  }

  model::Cluster& model() { return runtime::ModelAccess::of(cluster_.core()); }
  host::CallContext& calls() { return cluster_.core().calls(); }
  const model::PodRecord& pod() const { return pod_; }
  std::vector<uint8_t>& verdicts() { return verdicts_; }
  uint32_t count() { return model().nodes().rows(); }
  const int64_t* column(const char* id) {
    return static_cast<const int64_t*>(model().view(model().find_column(id)).data);
  }
  framework::HookAt<host::Filter>& fit() {
    for (const auto& profile : cluster_.core().assembly().profiles)
      for (auto& hook : profile->filter)
        if (hook.point->plugin() == "NodeResourcesFit") return hook;
    throw std::runtime_error("no such filter");
  }

 private:
  static bench::SteadyOptions options(uint32_t rows) {
    bench::SteadyOptions options;
    options.nodes = rows;
    options.pods_per_node = 2;
    return options;
  }

  bench::SteadyCluster cluster_;
  model::PodRecord pod_;
  std::vector<uint8_t> verdicts_;
};

// The shipped plugins, some of them in processes of their own. `names` is one text; "all": all.
runtime::Plugins with_isolated(const std::string& names) {
  host::Discovery discovery = bench::shipped_discovery();
  return runtime::Plugins(
      std::move(discovery), [names](const std::string& name, host::SealedFile file) {
        if (names != "all" && names.find(name) == names.npos)
          return host::Library::load(std::move(file));
        return isolation::load_isolated(
            std::move(file), {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host"});
      });
}

void filter_all(benchmark::State& state, Rows& rows) {
  auto& fit = rows.fit();
  framework::CallColumns columns;
  for (auto _ : state) {
    framework::TemplateHook& of = fit.bound.of(rows.pod(), rows.calls());
    fit.bound.slice(of, 0, rows.count(), columns);
    berth_call call = framework::BoundHook::call(columns, rows.count(), &of, BERTH_RAN_PRE_FILTER);
    host::CallError error = fit.point->call(rows.calls(), call, rows.verdicts());
    if (error) state.SkipWithError(error.text().c_str());
    benchmark::DoNotOptimize(rows.verdicts().data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows.count());
}

void BM_ThroughTheAbi(benchmark::State& state) {
  Rows rows(static_cast<uint32_t>(state.range(0)));
  filter_all(state, rows);
}

void BM_Isolated(benchmark::State& state) {
  Rows rows(static_cast<uint32_t>(state.range(0)), with_isolated("NodeResourcesFit"));
  filter_all(state, rows);
}

// One loop per resource, as in the plugin, so that only the boundary differs.
BERTH_VECTORISE
void check_places(const int64_t* pods, const int64_t* places, uint8_t* verdicts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    verdicts[i] = pods[i] >= places[i] ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
}

BERTH_VECTORISE
void check_room(int64_t request, const int64_t* allocatable, const int64_t* used, uint8_t* verdicts,
                size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const bool lacks = request > allocatable[i] - used[i];
    const bool never = request > allocatable[i];
    const auto verdict = static_cast<uint8_t>(lacks ? BERTH_UNSCHEDULABLE + int{never} : 0);
    verdicts[i] = std::max(verdicts[i], verdict);
  }
}

void BM_Inlined(benchmark::State& state) {
  Rows rows(static_cast<uint32_t>(state.range(0)));
  const int64_t *pods = rows.column("node.pods"), *places = rows.column("node.allocatable:pods");
  const int64_t *used_cpu = rows.column("node.requested:cpu"),
                *cpu = rows.column("node.allocatable:cpu");
  const int64_t *used_memory = rows.column("node.requested:memory"),
                *memory = rows.column("node.allocatable:memory");
  uint8_t* verdicts = rows.verdicts().data();
  for (auto _ : state) {
    check_places(pods, places, verdicts, rows.count());
    check_room(100, cpu, used_cpu, verdicts, rows.count());
    check_room(int64_t{500} << 20, memory, used_memory, verdicts, rows.count());
    benchmark::DoNotOptimize(verdicts);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows.count());
}

// Kept from one call of a benchmark to the next.
bench::SteadyCluster& cluster_with_isolated(const std::string& names) {
  static std::string of;
  static std::unique_ptr<bench::SteadyCluster> cluster;
  if (cluster != nullptr && of == names) return *cluster;
  cluster.reset();
  bench::SteadyOptions options;
  options.percentage = 100;
  cluster = std::make_unique<bench::SteadyCluster>(options, with_isolated(names));
  cluster->fill();
  of = names;
  return *cluster;
}

void BM_DecideIsolated(benchmark::State& state, const char* names) {
  bench::SteadyCluster& cluster = cluster_with_isolated(names);
  const auto decide = [&] {
    cluster.refill();
    cluster.step();
  };
  for (int i = 0; i < 16; ++i) decide();  // the ranking is made
  const uint64_t before = isolation::messages_sent();
  for (auto _ : state) decide();
  if (cluster.failed() != 0) state.SkipWithError("a pod was not placed");
  state.SetItemsProcessed(state.iterations());
  state.counters["messages"] = benchmark::Counter(
      static_cast<double>(isolation::messages_sent() - before), benchmark::Counter::kAvgIterations);
}

BENCHMARK(BM_ThroughTheAbi)->Arg(500)->Arg(5000)->Arg(50000);
BENCHMARK(BM_Isolated)->Arg(500)->Arg(5000)->Arg(50000)->UseRealTime();
BENCHMARK(BM_Inlined)->Arg(500)->Arg(5000)->Arg(50000);
#define BERTH_DECIDE(name, names) \
  BENCHMARK_CAPTURE(BM_DecideIsolated, name, #names)->Unit(benchmark::kMicrosecond)->UseRealTime()
BERTH_DECIDE(none, );
BERTH_DECIDE(fit, NodeResourcesFit);
BERTH_DECIDE(fit_and_balanced, NodeResourcesFit NodeResourcesBalancedAllocation);
BERTH_DECIDE(all, all);

}  // namespace

BENCHMARK_MAIN();
