#include "engine/played/controllers/kubelets/node_kubelet.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/base/assert.h"
#include "engine/controllers/kubelet/admission/oom_score.h"
#include "engine/played/controllers/kubelets/kubelet_pod.h"

namespace berth::played {

namespace kubelet = controllers::kubelet;

namespace {

using namespace std::chrono_literals;

constexpr Time kRounds = 10s;

Time next_round(Time now) { return (now / kRounds + 1) * kRounds; }

Time longest_wait(const kubelet::EvictionSettings& settings) {
  Time longest = settings.transition;
  for (const kubelet::Threshold& one : settings.thresholds) longest = std::max(longest, one.grace);
  return longest + 2 * kRounds;
}

}  // namespace

NodeKubelet::NodeKubelet(const kubelet::EvictionSettings& settings,
                         const kubelet::MachineSize& size, Time now)
    : memory_(size.memory),
      machine_(kubelet::Filesystems::kSingle, size),
      manager_(settings, machine_, *this),
      longest_(longest_wait(settings)) {
  manager_.start(next_round(now));
  changed(now);
}

void NodeKubelet::changed(Time now) {
  quiet_from_ = now + longest_;
  manager_.figures_changed(now);
  out_of_memory_since_.reset();
  if (memory_ != 0 && used_memory() > memory_) out_of_memory_since_ = now;
}

// What the node as a whole was measured to use counts where nobody has subtracted the pods yet.
int64_t NodeKubelet::used_memory() const {
  int64_t pods = 0;
  for (const auto& [handle, known] : pods_) pods += known.usage.memory.value_or(0);
  if (measured_ && measured_->memory) return std::max(*measured_->memory, pods);
  return pods + machine_.system().memory;
}

void NodeKubelet::set_metrics(Known& known, const model::PodMetrics* metrics) {
  known.metrics.reset();
  known.usage = {};
  if (metrics == nullptr) return;
  known.metrics = *metrics;
  known.usage = sum_of(*metrics);
}

void NodeKubelet::add(model::PodId pod, kubelet::Pod facts, const model::PodMetrics* metrics,
                      Time now) {
  BERTH_ASSERT(!has(pod));
  Known known;
  set_metrics(known, metrics);
  kubelet::PodUsage usage = kubelet_usage(facts, metrics);
  known.number =
      machine_.add(std::move(facts), {.stop = Time::max(), .cleanup = 0s}, std::move(usage));
  ids_.emplace(known.number, pod);
  pods_.emplace(pod.handle(), std::move(known));
  if (metrics != nullptr) changed(now);
}

void NodeKubelet::measure(model::PodId pod, const model::PodMetrics* metrics, Time now) {
  BERTH_ASSERT(has(pod));
  Known& known = pods_.find(pod.handle())->second;
  set_metrics(known, metrics);
  machine_.set_usage(known.number, kubelet_usage(machine_.pod(known.number), metrics));
  changed(now);
}

void NodeKubelet::remove(model::PodId pod, Time now) {
  const auto at = pods_.find(pod.handle());
  BERTH_ASSERT(at != pods_.end());
  machine_.remove(at->second.number);
  ids_.erase(at->second.number);
  const bool counted = at->second.usage != model::MeasuredUsage();
  pods_.erase(at);
  if (counted) changed(now);
}

void NodeKubelet::measure_node(const model::NodeMetrics& metrics, Time now) {
  if (metrics.beside_pods) {
    measured_.reset();
    set_system(metrics.usage);
  } else {
    measured_ = metrics.usage;
  }
  changed(now);
}

void NodeKubelet::count_system() {
  if (!measured_) return;
  model::MeasuredUsage left = *std::exchange(measured_, std::nullopt);
  const auto subtract = [](std::optional<int64_t>& from, const std::optional<int64_t>& pod) {
    if (from) from = std::max<int64_t>(*from - pod.value_or(0), 0);
  };
  for (const auto& [handle, known] : pods_) {
    subtract(left.memory, known.usage.memory);
    subtract(left.storage, known.usage.storage);
    subtract(left.inodes, known.usage.inodes);
    subtract(left.processes, known.usage.processes);
  }
  set_system(left);
}

// A figure that is not there stays.
void NodeKubelet::set_system(const model::MeasuredUsage& usage) {
  kubelet::SystemUsage& system = machine_.system();
  system.memory = usage.memory.value_or(system.memory);
  system.node.bytes = usage.storage.value_or(system.node.bytes);
  system.node.inodes = usage.inodes.value_or(system.node.inodes);
  system.processes = usage.processes.value_or(system.processes);
}

std::vector<KubeletAct> NodeKubelet::run_due(Time now) {
  if (next() && *next() <= now) count_system();
  if (out_of_memory_since_) kill_for_memory();
  if (manager_.next() && *manager_.next() <= now) manager_.run_due(now);
  return std::exchange(acts_, {});
}

void NodeKubelet::kill_for_memory() {
  out_of_memory_since_.reset();
  while (used_memory() > memory_) {
    const std::optional<Victim> victim = worst();
    if (!victim) return;
    Known& known = pods_.find(victim->pod)->second;
    model::PodMetrics left = *known.metrics;
    model::ContainerMetrics& container = left.containers[victim->container];
    acts_.emplace_back(KubeletOomKill{model::PodId::from_handle(victim->pod), container.name});
    container.usage.memory = 0;
    set_metrics(known, &left);
    machine_.set_usage(known.number, kubelet_usage(machine_.pod(known.number), &left));
  }
}

std::optional<NodeKubelet::Victim> NodeKubelet::worst() const {
  std::optional<Victim> worst;
  for (const auto& [number, id] : ids_) {
    const Known& known = pods_.find(id.handle())->second;
    if (!known.metrics) continue;
    for (size_t i = 0; i < known.metrics->containers.size(); ++i) {
      const model::ContainerMetrics& one = known.metrics->containers[i];
      if (one.usage.memory.value_or(0) == 0) continue;
      const int64_t badness = badness_of(known, one);
      if (!worst || badness > worst->badness) worst = Victim{id.handle(), i, badness};
    }
  }
  return worst;
}

// As the kernel: what the container uses, and its score's thousandths of all memory.
int64_t NodeKubelet::badness_of(const Known& known,
                                const model::ContainerMetrics& container) const {
  const kubelet::Pod& pod = machine_.pod(known.number);
  kubelet::Container facts{.name = container.name, .requests = {}, .limits = {}};
  for (const auto* list : {&pod.containers, &pod.init_containers})
    for (const kubelet::Container& one : *list)
      if (one.name == container.name) facts = one;
  return *container.usage.memory + memory_ / 1000 * oom_score_adjust(pod, facts, memory_);
}

void NodeKubelet::set_pressures(Time now, const std::vector<kubelet::Pressure>&) {
  quiet_from_ = now + longest_;
  acts_.emplace_back(KubeletPressures());
}

void NodeKubelet::warn_of_node(Time, const std::string& message) {
  acts_.emplace_back(KubeletWarning{message});
}

void NodeKubelet::evict(Time now, const kubelet::Eviction& eviction) {
  quiet_from_ = now + longest_;
  const auto at = ids_.find(eviction.pod);
  BERTH_ASSERT(at != ids_.end());
  acts_.emplace_back(
      KubeletEviction{at->second, now + std::chrono::seconds(eviction.grace_seconds), eviction});
}

}  // namespace berth::played
