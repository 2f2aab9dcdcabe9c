#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "engine/config/effective.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/read/faults.h"

namespace berth::config {
namespace {

// Calls `visit` with every set of plugins of the profile, multiPoint first.
template <typename ProfileType, typename Visit>
void for_each_set(ProfileType& profile, Visit visit) {
  visit(profile.multi_point);
  for (auto& set : profile.points) visit(set);
}

// Collects what is missing in one or several profiles.
class Missing {
 public:
  explicit Missing(const Available& available) : available_(available) {}

  void look_at(const Profile& profile) {
    // A dump of a configuration lists the default plugins in multiPoint.
    for (const PluginRef& plugin : profile.multi_point.enabled)
      if (!available_(plugin.name)) take(plugin, true);
    for (const PluginSet& set : profile.points) look_at_point(set);
  }

  void throw_if_named() {
    if (named_.empty()) return;
    throw MissingPlugins(std::move(named_), std::move(faults_));
  }

  std::vector<std::string> take_droppable() { return std::move(droppable_); }

 private:
  // A set that disables all others is a complete list, as dumps of v1beta2 have them.
  void look_at_point(const PluginSet& set) {
    const bool complete =
        std::ranges::find(set.disabled, "*", &PluginRef::name) != set.disabled.end();
    for (const PluginRef& plugin : set.enabled)
      if (!available_(plugin.name)) take(plugin, complete);
  }

  void take(const PluginRef& plugin, bool from_dump) {
    if (plugin.from_default || (from_dump && is_default_plugin(plugin.name))) {
      droppable(plugin.name);
    } else {
      name(plugin.name, plugin.place);
    }
  }

  void droppable(const std::string& plugin) {
    if (std::ranges::find(droppable_, plugin) == droppable_.end()) droppable_.push_back(plugin);
  }

  void name(const std::string& plugin, const Place& place) {
    if (!known_.insert(plugin).second) return;
    named_.push_back(plugin);
    faults_.emplace_back(place, "there is no plugin " + quoted(plugin) + advice(plugin));
  }

  static std::string advice(std::string_view plugin) {
    if (const auto replacement = replacement_of(plugin))
      return ": kube-scheduler had it once; use " + std::string(*replacement);
    if (is_kubes_plugin(plugin))
      return " among those found: it is one of kube-scheduler's; --plugins names the folders where "
             "plugins are looked for";
    return " among those found: add the folder that holds it to where plugins are looked for, or "
           "remove it here";
  }

  const Available& available_;
  std::unordered_set<std::string> known_;
  std::vector<std::string> named_;
  std::vector<Error> faults_;
  std::vector<std::string> droppable_;  // default plugins only, so a short list
};

using Names = std::unordered_set<std::string_view>;

void drop(Profile& profile, const Names& names) {
  for_each_set(profile, [&](PluginSet& set) {
    std::erase_if(set.enabled,
                  [&](const PluginRef& plugin) { return names.contains(plugin.name); });
  });
}

void list_args_of_dropped(Configuration& configuration, const std::vector<std::string>& names) {
  for (const Profile& profile : configuration.profiles)
    for (size_t i = 0; i < profile.plugin_config.size(); ++i)
      if (std::ranges::find(names, profile.plugin_config[i].name) != names.end())
        configuration.without_effect.push_back(args_without_effect(profile, i, "not built"));
}

}  // namespace

MissingPlugins::MissingPlugins(std::vector<std::string> names, std::vector<Error> faults)
    : InvalidConfiguration(std::move(faults)), names_(std::move(names)) {}

std::string args_without_effect(const Profile& profile, size_t entry, std::string_view reason) {
  return profile.place.field + ".pluginConfig[" + std::to_string(entry) + "] (plugin " +
         quoted(profile.plugin_config[entry].name) + " is " + std::string(reason) + ")";
}

std::vector<std::string> drop_missing(Configuration& configuration, const Available& available) {
  Missing missing(available);
  for (const Profile& profile : configuration.profiles) missing.look_at(profile);
  missing.throw_if_named();
  std::vector<std::string> dropped = missing.take_droppable();
  list_args_of_dropped(configuration, dropped);
  remove_plugins(configuration, dropped);
  return dropped;
}

std::vector<std::string> drop_missing(Profile& profile, const Available& available) {
  Missing missing(available);
  missing.look_at(profile);
  missing.throw_if_named();
  std::vector<std::string> dropped = missing.take_droppable();
  drop(profile, Names(dropped.begin(), dropped.end()));
  return dropped;
}

void remove_plugins(Configuration& configuration, const std::vector<std::string>& names) {
  const Names all(names.begin(), names.end());
  for (Profile& profile : configuration.profiles) drop(profile, all);
}

std::vector<std::string> enabled_plugins(const Profile& profile) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for_each_set(profile, [&](const PluginSet& set) {
    for (const PluginRef& plugin : set.enabled) {
      if (known.insert(plugin.name).second) names.push_back(plugin.name);
    }
  });
  return names;
}

}  // namespace berth::config
