#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "engine/base/text/joined.h"
#include "engine/base/text/suggestion.h"
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
  for (auto& set : profile.placement) visit(set);
}

// Collects what is missing in several profiles.
class Missing {
 public:
  Missing(const Available& available, const std::vector<std::string>& known)
      : available_(available), candidates_(known) {}

  void look_at(const Profile& profile) {
    for_each_set(profile, [this](const PluginSet& set) {
      for (const PluginRef& plugin : set.enabled)
        if (!available_(plugin.name) && known_.insert(plugin.name).second) take(plugin);
    });
  }

  void throw_if_any() {
    if (!defaults_.empty()) {
      faults_.emplace(faults_.begin(),
                      "plugins that come with Berth are enabled, and no plugin folder has them: " +
                          joined(defaults_, ", ", quoted) +
                          "; name the folder that came with Berth, which --no-default-plugins "
                          "leaves out, with --plugins, or disable these plugins in the "
                          "configuration");
      named_.insert(named_.begin(), defaults_.begin(), defaults_.end());
    }
    if (!named_.empty()) throw MissingPlugins(std::move(named_), std::move(faults_));
  }

 private:
  void take(const PluginRef& plugin) {
    if (plugin.from_default) {
      defaults_.push_back(plugin.name);
    } else {
      named_.push_back(plugin.name);
      faults_.emplace_back(plugin.place,
                           "there is no plugin " + quoted(plugin.name) + advice(plugin.name));
    }
  }

  std::string advice(std::string_view plugin) const {
    if (const auto replacement = replacement_of(plugin))
      return ": kube-scheduler had it once; use " + std::string(*replacement);
    if (is_kubes_plugin(plugin))
      return " among those found: it is one of kube-scheduler's; --plugins names the folders where "
             "plugins are looked for";
    if (const std::string meant = nearest_word(plugin, candidates_); !meant.empty())
      return "; did you mean " + meant + "?";
    return " among those found: add the folder that holds it to where plugins are looked for, or "
           "remove it here";
  }

  const Available& available_;
  const std::vector<std::string>& candidates_;  // that a mistyped name may mean
  std::unordered_set<std::string> known_;
  std::vector<std::string> defaults_;  // that the configuration does not name
  std::vector<std::string> named_;     // others
  std::vector<Error> faults_;          // of named_, in their order
};

}  // namespace

MissingPlugins::MissingPlugins(std::vector<std::string> names, std::vector<Error> faults)
    : InvalidConfiguration(std::move(faults)), names_(std::move(names)) {}

void refuse_missing(const Configuration& configuration, const Available& available,
                    const std::vector<std::string>& known) {
  Missing missing(available, known);
  for (const Profile& profile : configuration.profiles) missing.look_at(profile);
  missing.throw_if_any();
}

void remove_plugins(Configuration& configuration, const std::vector<std::string>& names) {
  for (Profile& profile : configuration.profiles)
    for_each_set(profile, [&](PluginSet& set) {
      std::erase_if(set.enabled, [&](const PluginRef& plugin) {
        return std::ranges::find(names, plugin.name) != names.end();
      });
    });
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
