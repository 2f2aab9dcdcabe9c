#include "engine/played/controllers/kubelets/kubelet_pod.h"

#include <algorithm>

namespace berth::played {

namespace kubelet = controllers::kubelet;

namespace {

// The priority of the class system-node-critical.
constexpr int32_t kNodeCritical = 2'000'001'000;
constexpr int64_t kDefaultGrace = 30;

size_t digits(const std::string& text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char one) { return one >= '0' && one <= '9'; }));
}

kubelet::Amount amount_of(const model::Quantity& quantity) {
  kubelet::Amount binary{quantity, kubelet::Amount::Format::kBinary};
  const kubelet::Amount decimal{quantity, kubelet::Amount::Format::kDecimal};
  return digits(binary.to_string()) <= digits(decimal.to_string()) ? binary : decimal;
}

kubelet::Amounts amounts_of(const model::ResourceList& list) {
  kubelet::Amounts amounts;
  for (const auto& [name, quantity] : list) amounts.emplace_back(name, amount_of(quantity));
  return amounts;
}

std::vector<kubelet::Container> containers_of(const std::vector<model::Container>& list) {
  std::vector<kubelet::Container> containers;
  for (const model::Container& one : list)
    containers.push_back(
        {one.name, amounts_of(one.requests), amounts_of(one.limits), one.restart_always});
  return containers;
}

void add(std::optional<int64_t>& sum, const std::optional<int64_t>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

}  // namespace

kubelet::Pod kubelet_pod(const model::Cluster& cluster, const model::PodRecord& pod) {
  const model::PodSpec& spec = cluster.templates()[pod.pod_template].spec;
  kubelet::Pod made;
  made.namespace_name = cluster.text(pod.namespace_name);
  made.name = cluster.text(pod.name);
  made.priority = pod.priority;
  if (pod.priority >= kNodeCritical) made.priority_class = "system-node-critical";
  const bool of_node =
      pod.controller != 0 && cluster.templates().controller(pod.controller).kind == "Node";
  made.is_mirror = spec.mirror || of_node;
  made.qos_class = spec.qos_class;
  made.grace_seconds = spec.termination_grace_seconds.value_or(kDefaultGrace);
  made.tolerations = spec.tolerations;
  made.containers = containers_of(spec.containers);
  made.init_containers = containers_of(spec.init_containers);
  made.overhead = amounts_of(spec.overhead);
  if (spec.has_pod_resources)
    made.resources = kubelet::PodResources{amounts_of(spec.pod_requests), {}};
  return made;
}

kubelet::PodUsage kubelet_usage(const kubelet::Pod& pod, const model::PodMetrics* metrics) {
  kubelet::PodUsage usage;
  if (metrics == nullptr) {
    for (const kubelet::Container& one : pod.containers)
      usage.containers.push_back({.name = one.name,
                                  .memory = 0,
                                  .layer = 0,
                                  .layer_inodes = 0,
                                  .logs = 0,
                                  .logs_inodes = 0});
    usage.processes = 0;
    return usage;
  }
  for (const model::ContainerMetrics& one : metrics->containers) {
    kubelet::ContainerUsage container{.name = one.name, .memory = one.usage.memory};
    container.layer = one.usage.storage;
    container.layer_inodes = one.usage.inodes;
    if (container.layer) container.logs = 0;
    if (container.layer_inodes) container.logs_inodes = 0;
    usage.containers.push_back(std::move(container));
    add(usage.processes, one.usage.processes);
  }
  return usage;
}

model::MeasuredUsage sum_of(const model::PodMetrics& metrics) {
  model::MeasuredUsage sum;
  for (const model::ContainerMetrics& one : metrics.containers) {
    add(sum.memory, one.usage.memory);
    add(sum.storage, one.usage.storage);
    add(sum.inodes, one.usage.inodes);
    add(sum.processes, one.usage.processes);
  }
  return sum;
}

}  // namespace berth::played
