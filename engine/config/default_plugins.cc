#include "engine/config/default_plugins.h"

#include <algorithm>
#include <array>

namespace berth::config {
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
    // Before DefaultPreemption: freeing an idle claim is better than evicting a pod that works.
    {"DynamicResources", 0, true},
    {"DefaultPreemption", 0, true},
    {"NodeResourcesBalancedAllocation", 1, true},
    {"ImageLocality", 1, false},
    {"DefaultBinder", 0, false},
};

constexpr std::string_view kRemovedPlugins[] = {
    "AzureDiskLimits",
    "CinderLimits",
    "EBSLimits",
    "GCEPDLimits",
};

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

bool has_args_kind(std::string_view plugin) {
  return std::ranges::any_of(kDefaultPlugins, [plugin](const DefaultPlugin& candidate) {
    return candidate.has_args && candidate.name == plugin;
  });
}

bool is_removed_plugin(std::string_view plugin) {
  return std::ranges::find(kRemovedPlugins, plugin) != std::end(kRemovedPlugins);
}

}  // namespace berth::config
