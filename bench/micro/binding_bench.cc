// Measures what the binding thread brings: whole decisions while a PreBind plugin takes time.
//
//   BM_Bind/thread/work/wait. thread: 0 binds on the deciding thread, 1 on the binding thread.
//   work: nanoseconds that PreBind computes per pod. wait: microseconds that it waits per batch of
//   256 pods.
//
// Items are bound pods, by elapsed time. 1,000 nodes, default plugins, default percentage.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace {

using namespace berth;

class BusyCluster {
 public:
  BusyCluster(bool thread, int64_t work, int64_t wait) {
    folder_.add_shipped_but("");
    folder_.add_of_tests("cycle_busy", "busy.so");
    plugins_ = std::make_unique<runtime::Plugins>(folder_.discover());
    const std::string text =
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
        R"("profiles":[{"plugins":{"preBind":{"enabled":[{"name":"Busy"}]}},)"
        R"("pluginConfig":[{"name":"Busy","args":{"work":)" +
        std::to_string(work) + R"(,"wait":)" + std::to_string(wait) + "}}]}]}";
    runtime::CoreOptions options;
    options.binding_thread = thread;
    options.audits = runtime::AuditPace::kNever;
    core_ = std::make_unique<runtime::Core>(config::parse(text, "config"), *plugins_, options);
    model::Node node;
    node.allocatable = {{"cpu", model::Quantity::from_units(4)},
                        {"memory", model::Quantity::from_units(int64_t{32} << 30)},
                        {"pods", model::Quantity::from_units(110)}};
    for (int i = 0; i < 1000; ++i) {
      node.name = "node-" + std::to_string(i);
      node.labels = {{"kubernetes.io/hostname", node.name}};
      runtime::ModelAccess::of(*core_).put_node(node);
    }
    core_->snapshot();
    pod_.namespace_name = "default";
    pod_.spec.containers.resize(1);
    pod_.spec.containers[0].name = "main";
    pod_.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
  }

  void arrive() {
    for (uint32_t i = 0; i < kPods; ++i) {
      pod_.name = "pod-" + std::to_string(i);
      pods_.push_back(core_->door().add(pod_));
    }
    core_->door().arrive(pods_);
  }
  void bind() {
    while (core_->has_active()) core_->step();
    core_->settle();
  }
  // Returns false if a pod was not bound.
  bool leave() {
    bool bound = true;
    for (const model::PodId pod : pods_) {
      bound &= core_->cluster().pod(pod).state == model::PodState::kBound;
      core_->door().remove(pod);
    }
    pods_.clear();
    return bound;
  }

  static constexpr uint32_t kPods = 5120;

 private:
  tests::PluginFolder folder_;
  std::unique_ptr<runtime::Plugins> plugins_;
  std::unique_ptr<runtime::Core> core_;
  model::Pod pod_;
  std::vector<model::PodId> pods_;
};

void BM_Bind(benchmark::State& state) {
  BusyCluster cluster(state.range(0) != 0, state.range(1), state.range(2));
  for (auto _ : state) {
    state.PauseTiming();
    cluster.arrive();
    state.ResumeTiming();
    cluster.bind();
    state.PauseTiming();
    if (!cluster.leave()) return state.SkipWithError("a pod was not bound");
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * BusyCluster::kPods);
}
BENCHMARK(BM_Bind)
    ->ArgNames({"thread", "work", "wait"})
    ->ArgsProduct({{0, 1}, {0, 1000, 5000}, {0}})
    ->ArgsProduct({{0, 1}, {0}, {1000, 5000}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
