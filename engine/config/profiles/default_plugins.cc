#include "engine/config/profiles/default_plugins.h"

#include <algorithm>
#include <array>

namespace berth::config {

const std::string_view kResourcesPlugin = "NodeResourcesFit";

namespace {

struct DefaultPlugin {
  std::string_view name;
  int32_t weight;  // 0: not set
  bool has_args;
};

constexpr DefaultPlugin kDefaultPlugins[] = {
    {"SchedulingGates", 0, false},
    {"PrioritySort", 0, false},
    {"NodeUnschedulable", 0, false},
    {"NodeName", 0, false},
    {"TaintToleration", 3, false},
    {"NodeAffinity", 2, true},
    {"NodePorts", 0, false},
    {"NodeResourcesFit", 1, true},
    {"VolumeRestrictions", 0, false},
    {"NodeVolumeLimits", 0, false},
    {"VolumeBinding", 0, true},
    {"VolumeZone", 0, false},
    {"PodTopologySpread", 2, true},
    {"InterPodAffinity", 2, true},
    // Before DefaultPreemption: freeing an idle claim is better than evicting a running pod.
    {"DynamicResources", 0, true},
    {"DefaultPreemption", 0, true},
    {"NodeResourcesBalancedAllocation", 1, true},
    {"ImageLocality", 1, false},
    {"DefaultBinder", 0, false},
};

// Former plugins of kube-scheduler that are available to configurations that enable them.
struct OptionalPlugin {
  std::string_view name;
  int32_t weight;  // for a configuration that sets none
};

constexpr OptionalPlugin kOptionalPlugins[] = {
    {"SelectorSpread", 1},
    {"NodePreferAvoidPods", 10000},
};

struct FormerPlugin {
  std::string_view name;
  std::string_view replacement;
  bool forbidden;  // by kube-scheduler's own validation of v1
};

constexpr FormerPlugin kFormerPlugins[] = {
    {"AzureDiskLimits", "NodeVolumeLimits", true},
    {"CinderLimits", "NodeVolumeLimits", true},
    {"EBSLimits", "NodeVolumeLimits", true},
    {"GCEPDLimits", "NodeVolumeLimits", true},
    {"RequestedToCapacityRatio", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeResourcesLeastAllocated", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeResourcesMostAllocated", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeLabel", "NodeAffinity", false},
    {"ServiceAffinity", "InterPodAffinity", false},
    {"DefaultPodTopologySpread", "PodTopologySpread", false},
};

const FormerPlugin* find_former(std::string_view plugin) {
  const auto found = std::ranges::find(kFormerPlugins, plugin, &FormerPlugin::name);
  return found == std::end(kFormerPlugins) ? nullptr : found;
}

}  // namespace

PluginSet default_multi_point() {
  PluginSet set;
  for (const DefaultPlugin& plugin : kDefaultPlugins) {
    set.enabled.push_back({.name = std::string(plugin.name),
                           .weight = plugin.weight,
                           .from_default = true,
                           .place = {}});
  }
  return set;
}

bool is_default_plugin(std::string_view plugin) {
  return std::ranges::find(kDefaultPlugins, plugin, &DefaultPlugin::name) !=
         std::end(kDefaultPlugins);
}

bool has_args_kind(std::string_view plugin) {
  return std::ranges::any_of(kDefaultPlugins, [plugin](const DefaultPlugin& candidate) {
    return candidate.has_args && candidate.name == plugin;
  });
}

bool is_kubes_plugin(std::string_view plugin) {
  const auto has_name = [plugin](const auto& candidate) { return candidate.name == plugin; };
  return std::ranges::any_of(kDefaultPlugins, has_name) ||
         std::ranges::any_of(kOptionalPlugins, has_name);
}

int32_t weight_if_not_given(std::string_view plugin) {
  const auto found = std::ranges::find(kOptionalPlugins, plugin, &OptionalPlugin::name);
  return found == std::end(kOptionalPlugins) ? 1 : found->weight;
}

std::optional<std::string_view> replacement_of(std::string_view plugin) {
  const FormerPlugin* former = find_former(plugin);
  return former == nullptr ? std::nullopt : std::optional(former->replacement);
}

bool is_forbidden_plugin(std::string_view plugin) {
  const FormerPlugin* former = find_former(plugin);
  return former != nullptr && former->forbidden;
}

}  // namespace berth::config
