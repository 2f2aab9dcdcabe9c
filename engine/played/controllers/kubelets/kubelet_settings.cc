#include "engine/played/controllers/kubelets/kubelet_settings.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "engine/model/objects/string_map.h"

namespace berth::played {

namespace kubelet = controllers::kubelet;
using model::KubeletConfiguration;

namespace {

int64_t amount_in(const model::ResourceList& list, std::string_view resource) {
  const auto at = std::ranges::find(list, resource, &model::ResourceList::value_type::first);
  return at == list.end() ? 0 : at->second.value();
}

bool holds(const model::Requirement& one, const model::StringMap& labels) {
  const std::string* value = model::value_in(labels, one.key);
  if (one.op == "Exists") return value != nullptr;
  if (one.op == "DoesNotExist") return value == nullptr;
  const bool is_one = value != nullptr && std::ranges::find(one.values, *value) != one.values.end();
  return is_one == (one.op == "In");
}

kubelet::ThresholdSettings threshold_settings(const KubeletConfiguration* configuration) {
  kubelet::ThresholdSettings settings;
  settings.hard = kubelet::default_hard_thresholds();
  if (configuration == nullptr) return settings;
  if (configuration->eviction_hard) {
    model::StringMap defaults = std::exchange(settings.hard, *configuration->eviction_hard);
    if (configuration->merges_default_eviction)
      for (auto& one : defaults)
        if (model::value_in(settings.hard, one.first) == nullptr)
          settings.hard.push_back(std::move(one));
    std::ranges::sort(settings.hard);
  }
  settings.soft = configuration->eviction_soft;
  settings.soft_grace = configuration->eviction_soft_grace;
  settings.minimum_reclaim = configuration->minimum_reclaim;
  settings.enforce_pods = configuration->enforces_pods;
  return settings;
}

// The capacity of which this much is left below the hard threshold.
int64_t with_hard_threshold(int64_t left, const KubeletConfiguration& configuration) {
  for (const kubelet::Threshold& one : parse_thresholds(threshold_settings(&configuration))) {
    if (one.signal != kubelet::Signal::kMemoryAvailable || !one.hard()) continue;
    if (const float* part = std::get_if<float>(&one.value))
      return static_cast<int64_t>(static_cast<double>(left) / (1 - static_cast<double>(*part)));
    return left + std::get<kubelet::Amount>(one.value).quantity.value();
  }
  return left;
}

bool is_known(kubelet::Signal signal, const kubelet::MachineSize& machine) {
  using enum kubelet::Signal;
  switch (signal) {
    case kMemoryAvailable:
      return machine.memory != 0;
    case kAllocatableMemoryAvailable:
      return machine.allocatable_memory != 0;
    case kNodeFsAvailable:
    case kImageFsAvailable:
    case kContainerFsAvailable:
      return machine.node.bytes != 0;
    case kNodeFsInodesFree:
    case kImageFsInodesFree:
    case kContainerFsInodesFree:
      return machine.node.inodes != 0;
    case kPidAvailable:
      return machine.processes != 0;
  }
  return false;
}

}  // namespace

NodeSize size_of(const model::Node& node) {
  const auto told = [&](std::string_view resource) {
    const int64_t capacity = amount_in(node.capacity, resource);
    return capacity != 0 ? capacity : amount_in(node.allocatable, resource);
  };
  return {.memory = told("memory"),
          .allocatable_memory = amount_in(node.allocatable, "memory"),
          .storage = told("ephemeral-storage"),
          .inodes = told("berth/inodes"),
          .processes = told("berth/pids"),
          .told_memory = amount_in(node.capacity, "memory") != 0};
}

bool selects(const KubeletConfiguration& configuration, const model::StringMap& labels) {
  return configuration.node_selector &&
         std::ranges::all_of(configuration.node_selector->match_expressions,
                             [&](const model::Requirement& one) { return holds(one, labels); });
}

kubelet::MachineSize machine_size(const NodeSize& size, const KubeletConfiguration* configuration) {
  kubelet::MachineSize machine{.memory = size.memory,
                               .allocatable_memory = size.allocatable_memory,
                               .node = {size.storage, size.inodes},
                               .images = {},
                               .processes = size.processes};
  if (configuration == nullptr || size.told_memory || size.memory == 0) return machine;
  const int64_t reserved = amount_in(configuration->reserved, "memory");
  if (reserved != 0) machine.memory = with_hard_threshold(size.memory + reserved, *configuration);
  return machine;
}

kubelet::EvictionSettings eviction_settings(const KubeletConfiguration* configuration,
                                            const kubelet::MachineSize& machine) {
  kubelet::EvictionSettings settings;
  settings.thresholds = parse_thresholds(threshold_settings(configuration));
  std::erase_if(settings.thresholds,
                [&](const kubelet::Threshold& one) { return !is_known(one.signal, machine); });
  if (configuration == nullptr) return settings;
  settings.transition = configuration->pressure_transition;
  settings.most_grace_seconds = configuration->most_grace_seconds;
  return settings;
}

}  // namespace berth::played
