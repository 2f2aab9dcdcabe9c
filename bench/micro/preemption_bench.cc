// Measures preemption through the ABI with the default plugins: a pod that finds every node full
// evicts pods of lower priority, is tried again and bound. The cluster stays as it is: afterwards
// the pod is replaced by the pods that it evicted.
//
//   BM_Preempt/nodes/pods_per_node/threads. Nodes have 4 CPUs. Four pods of 900m on each: three
//   have to go, as in kube-scheduler's test case PreemptionBasic with pods of 3 CPUs.
//   BM_PreemptOfManyKinds: each of 100 pods in turn requests another amount, so that nothing that
//   was kept for a pod of its kind is there any more, and every dry run is made.
//
// Items are bound pods; each takes two decisions. dry_runs: per preemption. share_0, share_1: the
// part of the dry runs that ran on the deciding thread and on the second one.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/micro/steady_cluster.h"
#include "engine/played/api_server.h"
#include "engine/runtime/testing/model_access.h"

namespace {

using namespace berth;

class FullCluster {
 public:
  // `kinds`: of the pods that preempt.
  FullCluster(uint32_t nodes, uint32_t pods_per_node, int threads, int64_t kinds)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads)),
        workers_(threads),
        plugins_(bench::shipped_plugins()),
        pods_per_node_(pods_per_node),
        kinds_(kinds) {
    runtime::CoreOptions options;
    options.scheduler.full.workers = &workers_;
    options.server = &server_;
    core_ = std::make_unique<runtime::Core>(
        config::defaults(), plugins_, options, [this](const runtime::Report& report) {
          victims_ += std::holds_alternative<runtime::Evicted>(report);
          bound_ += std::holds_alternative<runtime::Bound>(report);
        });
    server_.attach(*core_);
    add_nodes(nodes);
    for (model::Row row = 0; row < nodes; ++row) fill(row, pods_per_node);
  }

  // A pod arrives, preempts, and is bound. Returns false if it was not.
  bool preempt() {
    const uint64_t bound = bound_;
    victims_ = 0;
    model::Pod pod = pod_of("high-", 3000 + preemptors_++ % kinds_, 10);
    last_ = core_->door().add(pod);
    core_->door().arrive({&last_, 1});
    while (core_->has_work()) core_->step(core_->now() + kDecisionTime);
    core_->settle();
    return bound_ == bound + 1;
  }

  // Puts the victims of the last preemption back.
  void restore() {
    const model::Row row = core_->cluster().nodes().row_of(core_->cluster().pod(last_).slot);
    core_->door().remove(last_);
    fill(row, static_cast<uint32_t>(victims_));
  }

  uint64_t victims() const { return victims_; }
  std::vector<uint64_t> dry_runs() const {
    return core_->scheduler().decisions().decider().what_ifs_begun();
  }

 private:
  static constexpr Time kDecisionTime = std::chrono::milliseconds(1);

  void add_nodes(uint32_t count) {
    model::Node node;
    node.allocatable = {{"cpu", model::Quantity::from_units(4)},
                        {"memory", model::Quantity::from_units(int64_t{32} << 30)},
                        {"pods", model::Quantity::from_units(110)}};
    for (uint32_t i = 0; i < count; ++i) {
      node.name = "node-" + std::to_string(i);
      node.labels = {{"kubernetes.io/hostname", node.name}};
      runtime::ModelAccess::of(*core_).put_node(node);
    }
    core_->snapshot();
  }

  model::Pod pod_of(const char* prefix, int64_t milli_cpu, int32_t priority) {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = prefix + std::to_string(next_++);
    pod.spec.priority = priority;
    pod.spec.termination_grace_seconds = 0;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "main";
    pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(milli_cpu)}};
    return pod;
  }

  void fill(model::Row row, uint32_t pods) {
    constexpr int64_t kUsed = 3600;
    model::Cluster& cluster = runtime::ModelAccess::of(*core_);
    for (uint32_t i = 0; i < pods; ++i) {
      const model::PodId pod = cluster.add_pod(pod_of("low-", kUsed / pods_per_node_, 0));
      cluster.place(pod, row);
      cluster.set_state(pod, model::PodState::kBound);
    }
  }

  tbb::global_control limit_;
  framework::Workers workers_;
  runtime::Plugins plugins_;
  uint32_t pods_per_node_;
  int64_t kinds_, preemptors_ = 0;
  played::ApiServer server_;
  std::unique_ptr<runtime::Core> core_;
  uint64_t next_ = 0, victims_ = 0, bound_ = 0;
  model::PodId last_;
};

void preempt(benchmark::State& state, int64_t kinds) {
  FullCluster cluster(static_cast<uint32_t>(state.range(0)), static_cast<uint32_t>(state.range(1)),
                      static_cast<int>(state.range(2)), kinds);
  const std::vector<uint64_t> before = cluster.dry_runs();
  uint64_t victims = 0;
  for (auto _ : state) {
    if (!cluster.preempt()) return state.SkipWithError("the pod was not bound");
    state.PauseTiming();
    victims += cluster.victims();
    cluster.restore();
    state.ResumeTiming();
  }
  const std::vector<uint64_t> after = cluster.dry_runs();
  uint64_t all = 0;
  for (size_t i = 0; i < after.size(); ++i) all += after[i] - before[i];
  const auto preemptions = static_cast<double>(state.iterations());
  state.SetItemsProcessed(state.iterations());
  state.counters["victims"] = static_cast<double>(victims) / preemptions;
  state.counters["dry_runs"] = static_cast<double>(all) / preemptions;
  for (size_t i = 0; i < after.size(); ++i)
    state.counters["share_" + std::to_string(i)] =
        static_cast<double>(after[i] - before[i]) / static_cast<double>(all);
}

void BM_Preempt(benchmark::State& state) { preempt(state, 1); }
void BM_PreemptOfManyKinds(benchmark::State& state) { preempt(state, 100); }

void sizes(benchmark::internal::Benchmark* of) {
  of->ArgNames({"nodes", "pods_per_node", "threads"})
      ->ArgsProduct({{500, 5000}, {4, 20}, {1, 2}})
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime();
}
BENCHMARK(BM_Preempt)->Apply(sizes);
BENCHMARK(BM_PreemptOfManyKinds)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
