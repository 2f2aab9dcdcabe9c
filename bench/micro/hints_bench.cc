// Measures queueing hints of the default plugins: one event, and pods of many templates that a
// plugin refused.
//
//   BM_NodeUpdate/plugin/templates: a node gets another label and more room.
//   BM_PodDeleted/plugin/templates: a placed pod goes.
//
// items: templates. A queue asks about one pod for each group of equal pods, so the number of
// waiting pods does not count.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/micro/steady_cluster.h"
#include "engine/framework/hints/queueing_hints.h"
#include "engine/runtime/testing/model_access.h"

namespace {

using namespace berth;

// Pods that each ask for something else of every plugin.
model::Pod refused(uint32_t number) {
  model::Pod pod;
  pod.namespace_name = "default";
  pod.name = "waits-" + std::to_string(number);
  model::PodSpec& spec = pod.spec;
  spec.labels = {{"app", std::to_string(number)}};
  spec.node_selector = {{"disk", std::to_string(number)}};
  spec.has_node_selector = true;
  model::Toleration toleration;
  toleration.key = std::to_string(number);
  spec.tolerations.push_back(toleration);
  model::PodAffinityTerm term;
  term.label_selector = model::LabelSelector{{{"app", std::to_string(number)}}, {}};
  term.topology_key = "topology.kubernetes.io/zone";
  spec.affinity.pod_anti_affinity.emplace().required = {term};
  model::TopologySpreadConstraint spread;
  spread.max_skew = 1;
  spread.topology_key = term.topology_key;
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.label_selector = term.label_selector;
  spec.topology_spread_constraints = {spread};
  model::Container container;
  container.requests = {{"cpu", model::Quantity::from_milli(100 + number)}};
  container.ports = {{"", "TCP", static_cast<int32_t>(1000 + number)}};
  spec.containers = {container};
  return pod;
}

class Waiting {
 public:
  explicit Waiting(benchmark::State& state)
      : cluster_(small()),
        hints_(core().assembly().profiles, runtime::ModelAccess::of(core()), core().calls()),
        plugin_(hints_.find(0, kPlugins[state.range(0)]).value()) {
    state.SetLabel(kPlugins[state.range(0)]);
    for (uint32_t i = 0; i < state.range(1); ++i) pods_.push_back(core().door().add(refused(i)));
    answers_.resize(pods_.size());
  }

  runtime::Core& core() { return cluster_.core(); }
  void ask(benchmark::State& state, const framework::HintEvent& event) {
    for (auto _ : state) {
      hints_.hint(event, plugin_, pods_, answers_);
      benchmark::DoNotOptimize(answers_.data());
    }
    if (hints_.failures() != 0) state.SkipWithError(hints_.last_failure().c_str());
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(pods_.size()));
  }

  static constexpr const char* kPlugins[] = {"NodeResourcesFit",  "NodeAffinity",
                                             "TaintToleration",   "NodePorts",
                                             "PodTopologySpread", "InterPodAffinity"};

 private:
  static bench::SteadyOptions small() {
    bench::SteadyOptions options;
    options.nodes = 1000;
    return options;
  }

  bench::SteadyCluster cluster_;
  framework::QueueingHints hints_;
  framework::HintedPluginId plugin_;
  std::vector<model::PodId> pods_;
  std::vector<uint8_t> answers_;
};

void BM_NodeUpdate(benchmark::State& state) {
  Waiting waiting(state);
  model::Cluster& cluster = runtime::ModelAccess::of(waiting.core());
  model::NodeTable::Values before = cluster.nodes().node(0);
  before.allocatable.clear();
  before.labels.clear();
  framework::HintEvent event = framework::node_event(BERTH_DID_UPDATE_LABEL, 0, &before, cluster);
  event.action |= BERTH_DID_UPDATE_ALLOCATABLE;
  waiting.ask(state, event);
}

void BM_PodDeleted(benchmark::State& state) {
  Waiting waiting(state);
  model::Cluster& cluster = runtime::ModelAccess::of(waiting.core());
  const model::PodRecord gone = cluster.record_of(refused(7));
  waiting.ask(state, framework::pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &gone, nullptr,
                                          cluster.nodes().node(0).name));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"plugin", "templates"})->Unit(benchmark::kMicrosecond);
  for (int64_t plugin = 0; plugin < std::ssize(Waiting::kPlugins); ++plugin)
    for (int64_t templates : {1, 1000}) benchmark->Args({plugin, templates});
}
BENCHMARK(BM_NodeUpdate)->Apply(sizes);
BENCHMARK(BM_PodDeleted)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
