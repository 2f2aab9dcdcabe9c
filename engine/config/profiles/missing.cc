#include <algorithm>
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

// What is missing in one or several profiles.
class Missing {
 public:
  explicit Missing(const Available& available) : available_(available) {}

  void look_at(const Profile& profile) {
    for_each_set(profile, [&](const PluginSet& set) {
      for (const PluginRef& plugin : set.enabled) look_at(profile, plugin);
    });
  }

  void throw_if_named() {
    if (named_.empty()) return;
    throw MissingPlugins(std::move(named_), std::move(faults_));
  }

  std::vector<std::string> take_droppable() { return std::move(droppable_); }

 private:
  void look_at(const Profile& profile, const PluginRef& plugin) {
    if (available_(plugin.name)) return;
    if (!plugin.from_default) {
      name(plugin.name, plugin.place);
    } else if (const PluginArgs* args = profile.args_of(plugin.name)) {
      name(plugin.name, args->place);
    } else if (std::ranges::find(droppable_, plugin.name) == droppable_.end()) {
      droppable_.push_back(plugin.name);
    }
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

void drop(Profile& profile, const std::vector<std::string>& names) {
  for_each_set(profile, [&](PluginSet& set) {
    std::erase_if(set.enabled, [&](const PluginRef& plugin) {
      return plugin.from_default && std::ranges::find(names, plugin.name) != names.end();
    });
  });
}

}  // namespace

MissingPlugins::MissingPlugins(std::vector<std::string> names, std::vector<Error> faults)
    : InvalidConfiguration(std::move(faults)), names_(std::move(names)) {}

std::vector<std::string> drop_missing(Configuration& configuration, const Available& available) {
  Missing missing(available);
  for (const Profile& profile : configuration.profiles) missing.look_at(profile);
  missing.throw_if_named();
  std::vector<std::string> dropped = missing.take_droppable();
  for (Profile& profile : configuration.profiles) drop(profile, dropped);
  return dropped;
}

std::vector<std::string> drop_missing(Profile& profile, const Available& available) {
  Missing missing(available);
  missing.look_at(profile);
  missing.throw_if_named();
  std::vector<std::string> dropped = missing.take_droppable();
  drop(profile, dropped);
  return dropped;
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
