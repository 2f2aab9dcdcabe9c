#pragma once

// Computes the plugins that run from a configuration: one ordered list per extension point.
//
//   Configuration configuration = load(path);
//   ... discover the available plugins ...
//   refuse_missing(configuration, available);
//   ... load enabled_plugins() of every profile ...
//   expand(configuration, implements);          // one EffectiveProfile per profile

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config.h"

namespace berth::config {

// True if there is a plugin of this name.
using Available = std::function<bool(std::string_view plugin)>;

// True if the plugin implements the extension point. Called only for plugins that are enabled.
using Implements = std::function<bool(std::string_view plugin, Point point)>;

// The configuration enables plugins that are not available.
class MissingPlugins : public InvalidConfiguration {
 public:
  // Requires at least one name and one fault.
  MissingPlugins(std::vector<std::string> names, std::vector<Error> faults);

  const std::vector<std::string>& names() const { return names_; }  // each once

 private:
  std::vector<std::string> names_;
};

// Throws MissingPlugins if a profile enables plugins that are not available: one fault for each
// that the configuration names, with its place, and before them one for all that the defaults
// bring, also if the configuration names these once more at a point. Naming a plugin only to
// disable it, or only in `pluginConfig`, is no fault. `known`: names that a mistyped one may mean.
void refuse_missing(const Configuration& configuration, const Available& available,
                    const std::vector<std::string>& known = {});

// Removes the plugins of these names from every list of enabled plugins.
void remove_plugins(Configuration& configuration, const std::vector<std::string>& names);

// Every plugin that the profile enables anywhere, each once: those that have to be loaded and
// initialised. In the order of multiPoint, then of the points. That includes plugins that are
// disabled again at each of their points.
std::vector<std::string> enabled_plugins(const Profile& profile);

struct EffectiveProfile {
  std::string scheduler_name;
  PluginsByPoint plugins;
};

// Expands a profile by kube-scheduler's rules. The plugins of each point are, in this order:
// 1. plugins enabled both at the point and in multiPoint, in the order of the point,
// 2. plugins of multiPoint that implement the point and that the point does not disable,
// 3. the other plugins enabled at the point.
//
// With "*" in its disabled list, a point has only the plugins enabled there. The weight of a score
// plugin is that at `score` if it is enabled there, else that in multiPoint. An unset weight is 1,
// except for a few former plugins with a weight of their own in kube-scheduler. Throws
// InvalidConfiguration if a plugin is enabled at a point that it does not implement, a plugin is
// enabled twice, queueSort does not have exactly one plugin, bind has none, or the total of the
// weights could overflow.
EffectiveProfile expand(const Profile& profile, const Implements& implements);

// Expands every profile, in order. A plugin does not implement a point that it has not by the
// configuration's rules. All profiles must have the same queueSort plugin with equal arguments.
std::vector<EffectiveProfile> expand(const Configuration& configuration,
                                     const Implements& implements);

}  // namespace berth::config
