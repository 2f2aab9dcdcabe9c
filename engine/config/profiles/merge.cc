#include "engine/config/profiles/merge.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace berth::config {
namespace {

std::vector<PluginRef> disabled_of_both(const PluginSet& defaults, const PluginSet& configured) {
  std::vector<PluginRef> disabled;
  for (const auto* set : {&configured, &defaults}) {
    for (const PluginRef& plugin : set->disabled) {
      disabled.push_back(plugin);
      disabled.back().weight = 0;
    }
  }
  return disabled;
}

}  // namespace

PluginSet merge_plugin_set(const PluginSet& defaults, const PluginSet& configured) {
  PluginSet merged;
  merged.disabled = disabled_of_both(defaults, configured);
  std::unordered_set<std::string_view> disabled;
  for (const PluginRef& plugin : merged.disabled) disabled.insert(plugin.name);
  std::unordered_map<std::string_view, size_t>
      configured_at;  // index of the last entry of each name
  for (size_t i = 0; i < configured.enabled.size(); ++i) {
    configured_at[configured.enabled[i].name] = i;
  }

  std::vector<bool> placed(configured.enabled.size());
  if (!disabled.contains("*")) {
    for (const PluginRef& plugin : defaults.enabled) {
      if (disabled.contains(plugin.name)) continue;
      const auto found = configured_at.find(plugin.name);
      if (found == configured_at.end()) {
        merged.enabled.push_back(plugin);
      } else {
        merged.enabled.push_back(configured.enabled[found->second]);
        placed[found->second] = true;
      }
    }
  }
  for (size_t i = 0; i < configured.enabled.size(); ++i) {
    if (!placed[i]) merged.enabled.push_back(configured.enabled[i]);
  }
  return merged;
}

}  // namespace berth::config
