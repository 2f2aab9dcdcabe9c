// Measures each plugin: one call of its PreScore, Filter and Score hooks over all rows, for pods
// that give every plugin work. Benchmarks are named PLUGIN/POINT/rows. The time is that of one
// call, measured by the scheduler's own timing of hooks.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>

#include "bench/micro/steady_cluster.h"
#include "engine/config/config.h"
#include "engine/runtime/testing/model_access.h"

namespace {

using namespace berth;

constexpr char kConfiguration[] = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
profiles:
- schedulerName: default-scheduler
  plugins:
    preScore: {enabled: [{name: SelectorSpread}]}
    score: {enabled: [{name: SelectorSpread}, {name: NodePreferAvoidPods}]}
)";
constexpr char kZone[] = "topology.kubernetes.io/zone";
constexpr char kHostname[] = "kubernetes.io/hostname";
constexpr char kAvoid[] =
    R"({"preferAvoidPods":[{"podSignature":{"podController":{"apiVersion":"apps/v1",)"
    R"("kind":"ReplicaSet","name":"web","uid":"web","controller":true}}}]})";

model::Node node(uint32_t number) {
  model::Node node;
  node.name = "node-" + std::to_string(number);
  node.labels = {{"disk", number % 3 == 0 ? "ssd" : "hdd"},
                 {kHostname, node.name},
                 {kZone, "zone-" + std::to_string(number % 3)}};
  if (number % 10 == 0)
    node.annotations = {{"scheduler.alpha.kubernetes.io/preferAvoidPods", kAvoid}};
  if (number % 5 == 0) node.taints = {{"example.com/busy", "", "PreferNoSchedule"}};
  node.unschedulable = number % 50 == 49;
  node.allocatable = {{"cpu", model::Quantity::from_units(16)},
                      {"memory", model::Quantity::from_units(int64_t{64} << 30)},
                      {"pods", model::Quantity::from_units(110)}};
  if (number % 2 == 0) node.images = {{{"registry.example/web:v1"}, int64_t{200} << 20}};
  return node;
}

model::Pod pod(const std::string& name) {
  model::Pod pod;
  pod.namespace_name = "default";
  pod.name = name;
  pod.controller = model::Controller{"apps/v1", "ReplicaSet", "web", "web"};
  pod.spec.labels = {{"app", "web"}};
  pod.spec.containers.resize(1);
  model::Container& container = pod.spec.containers[0];
  container.name = "main";
  container.image = "registry.example/web:v1";
  container.requests = {{"cpu", model::Quantity::from_milli(100)},
                        {"memory", model::Quantity::from_units(int64_t{128} << 20)}};
  return pod;
}

// A pod with further rules: node affinity, ports, and rules about other pods.
model::Pod demanding_pod(const std::string& name) {
  model::Pod made = pod(name);
  model::PodSpec& spec = made.spec;
  spec.containers[0].ports = {{"", "TCP", 8080}};
  spec.affinity.node_required = model::NodeSelector{{{{{"disk", "In", {"ssd", "hdd"}}}, {}}}};
  spec.affinity.node_preferred = {{10, {{{"disk", "In", {"ssd"}}}, {}}}};
  spec.affinity.has_node_preferred = true;
  model::PodAffinityTerm term;
  term.label_selector = model::LabelSelector{{{"app", "web"}}, {}};
  term.topology_key = kZone;
  spec.affinity.pod_affinity = model::PodAffinity{{term}, {{10, term}}};
  model::TopologySpreadConstraint spread;
  spread.max_skew = 1'000'000;
  spread.topology_key = kHostname;
  spread.when_unsatisfiable = "DoNotSchedule";
  spread.label_selector = term.label_selector;
  spec.topology_spread_constraints.push_back(spread);
  spread.max_skew = 1;
  spread.when_unsatisfiable = "ScheduleAnyway";
  spread.topology_key = kZone;
  spec.topology_spread_constraints.push_back(spread);
  return made;
}

// A pod for which NodeName leaves one node. Kept apart from the others, because the later filters
// have no work for it.
model::Pod named_pod(const std::string& name) {
  model::Pod made = pod(name);
  made.spec.node_name = "node-1";
  return made;
}

// The pods for which a hook is measured.
enum class Pods : uint8_t { kAny, kNamed };

class AllPlugins {
 public:
  explicit AllPlugins(uint32_t rows) : rows_(rows), plugins_(bench::shipped_plugins()) {
    runtime::CoreOptions options;
    options.scheduler.evaluation = framework::Evaluation::kFull;
    options.scheduler.time_calls_every = 1;
    core_ = std::make_unique<runtime::Core>(
        config::parse(kConfiguration, "the benchmark"), plugins_, options,
        [this](const runtime::Report& report) {
          const auto outcome = runtime::outcome_of(report);
          failed_ += outcome && *outcome != runtime::PodOutcome::kScheduled;
        });
    model::Cluster& cluster = runtime::ModelAccess::of(*core_);
    cluster.put_namespace({"default", {}});
    cluster.put_selector_owner({model::SelectorOwnerKind::kService, "web", "default",
                                model::LabelSelector{{{"app", "web"}}, {}}});
    for (uint32_t i = 0; i < rows; ++i) cluster.put_node(node(i));
    core_->snapshot();
    for (uint32_t i = 0; i < rows; i += 2) {
      const model::PodId placed = cluster.add_pod(pod("placed-" + std::to_string(i)));
      cluster.place(placed, i);
      cluster.set_state(placed, model::PodState::kBound);
    }
    any_ = {cluster.record_of(pod("plain")), cluster.record_of(demanding_pod("demanding"))};
    named_ = {cluster.record_of(named_pod("named"))};
    for (const auto* records : {&any_, &named_})
      for (const model::PodRecord& record : *records) cluster.retain(record);
  }

  uint32_t rows() const { return rows_; }

  // Schedules these pods and removes them again.
  void step(Pods pods) {
    for (const model::PodRecord& pod : pods == Pods::kAny ? any_ : named_) {
      const model::PodId id = runtime::ModelAccess::of(*core_).add_pod(pod);
      core_->door().arrive({&id, 1});
      core_->run_until_idle();
      core_->door().remove(id);
    }
  }
  uint64_t failed() const { return failed_; }

  host::HookCounts counts(host::HookId id) { return core_->calls().counts(id); }
  host::HookTable& hooks() { return core_->hooks(); }

 private:
  uint32_t rows_;
  runtime::Plugins plugins_;
  std::unique_ptr<runtime::Core> core_;
  std::vector<model::PodRecord> any_, named_;
  uint64_t failed_ = 0;
};

AllPlugins& of_rows(uint32_t rows) {
  static std::unique_ptr<AllPlugins> plugins;
  if (plugins == nullptr || plugins->rows() != rows) {
    plugins.reset();
    plugins = std::make_unique<AllPlugins>(rows);
    plugins->step(Pods::kAny);
    plugins->step(Pods::kNamed);
  }
  return *plugins;
}

void call(benchmark::State& state, host::HookId id, uint32_t rows, Pods pods) {
  AllPlugins& plugins = of_rows(rows);
  for (auto _ : state) {
    const host::HookCounts before = plugins.counts(id);
    plugins.step(pods);
    const host::HookCounts after = plugins.counts(id);
    // Some plugins have no work for one of the pods.
    const auto calls = static_cast<double>(after.timed_calls - before.timed_calls);
    const double seconds =
        static_cast<double>(after.timed_nanoseconds - before.timed_nanoseconds) * 1e-9;
    state.SetIterationTime(seconds / calls);
  }
  if (plugins.failed() != 0) state.SkipWithError("a pod was not placed");
  state.SetItemsProcessed(state.iterations() * rows);
}

// The hooks that are called for each of these pods. The answers of the others are cached, or they
// have no work for these pods.
std::vector<host::HookId> called_each_time(AllPlugins& plugins, Pods pods) {
  std::vector<uint64_t> before;
  for (host::HookId id = 0; id <= plugins.hooks().size(); ++id)
    before.push_back(plugins.counts(id).calls);
  plugins.step(pods);
  std::vector<host::HookId> called;
  for (host::HookId id = 1; id <= plugins.hooks().size(); ++id)
    if (plugins.counts(id).calls != before[id]) called.push_back(id);
  return called;
}

void register_all() {
  AllPlugins& small = of_rows(100);
  std::map<host::HookId, Pods> called;
  for (Pods pods : {Pods::kAny, Pods::kNamed})
    for (host::HookId id : called_each_time(small, pods)) called.try_emplace(id, pods);
  for (uint32_t rows : {1000u, 10'000u, 100'000u, 1'000'000u})
    for (const auto& [id, pods] : called) {
      const host::HookTable::Name name = small.hooks().name(id);
      if (name.hook != "Filter" && name.hook != "Score" && name.hook != "PreScore") continue;
      const std::string title = name.plugin + "/" + name.hook + "/" + std::to_string(rows);
      benchmark::RegisterBenchmark(title.c_str(), call, id, rows, pods)
          ->UseManualTime()
          // Google Benchmark would choose too few iterations, because a step takes much longer than
          // the calls that are measured.
          ->Iterations(std::max<int64_t>(10, 200'000 / rows))
          ->Unit(benchmark::kMicrosecond);
    }
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
