#include "bench/macro/run/config_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/text/printable.h"
#include "engine/base/text/suggestion.h"
#include "engine/config/effective.h"

namespace berth::bench {
namespace {

using Names = std::vector<std::string>;

bool among(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The plugins that any profile enables.
Names enabled_anywhere(const config::Configuration& configuration) {
  Names names;
  for (const config::Profile& profile : configuration.profiles)
    for (std::string& name : config::enabled_plugins(profile))
      if (!among(names, name)) names.push_back(std::move(name));
  return names;
}

// Throws UsageError if no profile enables the plugin.
void require_enabled(const Names& enabled, const std::string& plugin, const char* axis) {
  if (among(enabled, plugin)) return;
  const std::string meant = nearest_word(plugin, enabled);
  throw UsageError(fmt::format("{}:{}: the configuration enables no plugin of this name{}", axis,
                               printable(plugin),
                               meant.empty() ? "" : "; did you mean " + printable(meant) + "?"));
}

void enable(config::Profile& profile, const std::string& plugin) {
  if (among(config::enabled_plugins(profile), plugin)) return;
  config::PluginRef added;
  added.name = plugin;
  added.place = Place{.file = "plugin:" + plugin, .field = {}};
  profile.multi_point.enabled.push_back(std::move(added));
}

void weigh(config::PluginSet& set, const std::string& plugin, int32_t weight) {
  for (config::PluginRef& enabled : set.enabled)
    if (enabled.name == plugin) enabled.weight = weight;
}

void stop_scoring(config::PluginSet& score, const std::string& plugin) {
  std::erase_if(score.enabled, [&](const config::PluginRef& at) { return at.name == plugin; });
  config::PluginRef disabled;
  disabled.name = plugin;
  score.disabled.push_back(std::move(disabled));
}

void set_weight(config::Profile& profile, const std::string& plugin, int32_t weight) {
  config::PluginSet& score = profile.points[Point::kScore];
  if (weight == 0) return stop_scoring(score, plugin);
  weigh(score, plugin, weight);
  weigh(profile.multi_point, plugin, weight);
}

}  // namespace

void edit(config::Configuration& configuration, const ConfigEdits& edits) {
  for (const auto& [plugin, on] : edits.plugins) {
    if (!on) {
      require_enabled(enabled_anywhere(configuration), plugin, "plugin");
      config::remove_plugins(configuration, {plugin});
      continue;
    }
    for (config::Profile& profile : configuration.profiles) enable(profile, plugin);
  }
  for (const auto& [plugin, weight] : edits.weights) {
    const auto at = edits.plugins.find(plugin);
    if (at != edits.plugins.end() && !at->second)
      throw UsageError(
          fmt::format("weight:{}: has no effect where plugin:{} is off; vary one of "
                      "the two, or use the weight 0 for a plugin that does not score",
                      printable(plugin), printable(plugin)));
    require_enabled(enabled_anywhere(configuration), plugin, "weight");
    for (config::Profile& profile : configuration.profiles) set_weight(profile, plugin, weight);
  }
}

}  // namespace berth::bench
