#include "engine/config/isolation/plugin_isolation.h"

#include <algorithm>

#include "engine/base/text/go_duration.h"
#include "engine/base/text/joined.h"
#include "engine/model/objects/quantity.h"

namespace berth::config {
namespace {

// Names the members that differ from their defaults.
std::vector<std::string> settings_of(const IsolatedPlugin& plugin) {
  std::vector<std::string> settings;
  if (plugin.on_failure == OnFailure::kSkip) settings.emplace_back("onFailure Skip");
  if (plugin.files) settings.emplace_back("allow Files");
  if (plugin.network) settings.emplace_back("allow Network");
  if (plugin.deadline != IsolatedPlugin::kDeadline)
    settings.push_back("deadline " + go_duration(plugin.deadline));
  if (plugin.memory != IsolatedPlugin::kMemory)
    settings.push_back("memory " + model::Quantity::from_units(plugin.memory).to_string());
  return settings;
}

}  // namespace

const IsolatedPlugin* PluginIsolation::of(std::string_view plugin) const {
  auto found = std::ranges::find(plugins, plugin, &IsolatedPlugin::name);
  if (found == plugins.end())
    found = std::ranges::find(plugins, kAllPlugins, &IsolatedPlugin::name);
  return found == plugins.end() ? nullptr : &*found;
}

IsolatedPlugin* PluginIsolation::own(std::string_view plugin) {
  const IsolatedPlugin* held = of(plugin);
  if (held == nullptr) return nullptr;
  if (held->name == plugin) return &plugins[static_cast<size_t>(held - plugins.data())];
  IsolatedPlugin copy = *held;
  copy.name = plugin;
  return &plugins.emplace_back(std::move(copy));
}

std::string to_text(const PluginIsolation& isolation) {
  std::vector<IsolatedPlugin> sorted = isolation.plugins;
  std::ranges::sort(sorted, {}, &IsolatedPlugin::name);
  std::vector<std::string> texts;
  for (const IsolatedPlugin& plugin : sorted) {
    const std::string settings = joined(settings_of(plugin), ", ");
    texts.push_back(plugin.name + (settings.empty() ? "" : " (" + settings + ")"));
  }
  return joined(texts, ", ");
}

}  // namespace berth::config
