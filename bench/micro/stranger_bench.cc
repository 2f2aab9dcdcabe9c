// Measures what a stranger's Score costs a decision, by what it declares and with and without
// normalising: whole decisions of the default profile and one plugin (stranger.c), in turns with
// decisions without it, so that the ratio does not depend on how busy the machine is.
//
//   BM_Stranger/NAME/nodes. Time: 64 decisions with the plugin and 64 without. decision: the
//   microseconds of one with the plugin; ratio: that by the time of one without it.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "bench/micro/steady_cluster.h"
#include "engine/config/config.h"
#include "engine/host/loading/discovery.h"

namespace {

using namespace berth;

config::Configuration with_plugin(const std::string& name) {
  const std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v1\n"
      "kind: KubeSchedulerConfiguration\n"
      "profiles: [{plugins: {multiPoint: {enabled: [{name: " +
      name + "}]}}}]\n";
  return config::parse(text, "the benchmark");
}

runtime::Plugins all_plugins() {
  const std::array<std::filesystem::path, 2> folders{BERTH_BUILD_DIR "/lib/berth/plugins",
                                                     BERTH_BUILD_DIR "/bench-plugins"};
  return runtime::Plugins(host::discover(folders));
}

// Kept from one call of a benchmark to the next. Empty name: the default profile alone.
bench::SteadyCluster& cluster_with(const std::string& plugin, uint32_t nodes) {
  static std::map<std::pair<std::string, uint32_t>, std::unique_ptr<bench::SteadyCluster>> all;
  auto& cluster = all[{plugin, nodes}];
  if (cluster != nullptr) return *cluster;
  bench::SteadyOptions options;
  options.nodes = nodes;
  options.percentage = 100;
  cluster = std::make_unique<bench::SteadyCluster>(
      options, all_plugins(), plugin.empty() ? config::defaults() : with_plugin(plugin));
  cluster->fill();
  return *cluster;
}

std::chrono::duration<double> decide(bench::SteadyCluster& cluster, int decisions) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < decisions; ++i) {
    cluster.refill();
    cluster.step();
  }
  return std::chrono::steady_clock::now() - begin;
}

void BM_Stranger(benchmark::State& state, const char* plugin) {
  constexpr int kTurn = 64;  // decisions
  const auto nodes = static_cast<uint32_t>(state.range(0));
  bench::SteadyCluster& none = cluster_with("", nodes);
  bench::SteadyCluster& with = cluster_with(plugin, nodes);
  decide(none, kTurn);
  decide(with, kTurn);
  double seconds_none = 0, seconds_with = 0;
  for (auto _ : state) {
    seconds_none += decide(none, kTurn).count();
    seconds_with += decide(with, kTurn).count();
  }
  if (none.failed() != 0 || with.failed() != 0) state.SkipWithError("a pod was not placed");
  state.counters["decision"] = seconds_with / static_cast<double>(state.iterations()) / kTurn * 1e6;
  state.counters["ratio"] = seconds_with / seconds_none;
}

#define BERTH_STRANGER(name)                  \
  BENCHMARK_CAPTURE(BM_Stranger, name, #name) \
      ->ArgName("nodes")                      \
      ->Arg(100)                              \
      ->Arg(5000)                             \
      ->Unit(benchmark::kMicrosecond)
BERTH_STRANGER(StrangerNothing);
BERTH_STRANGER(StrangerNothingNormalised);
BERTH_STRANGER(StrangerStatic);
BERTH_STRANGER(StrangerStaticNormalised);
BERTH_STRANGER(StrangerChanging);
BERTH_STRANGER(StrangerChangingNormalised);
BERTH_STRANGER(StrangerExternal);
BERTH_STRANGER(StrangerExternalNormalised);

}  // namespace

BENCHMARK_MAIN();
