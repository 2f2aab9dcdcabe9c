#pragma once

// From a configuration to what runs: one ordered list of plugins per extension point.
//
//   Configuration configuration = load(path);
//   ... find the plugins that there are ...
//   drop_missing(configuration, available);     // names of default plugins left out
//   ... load enabled_plugins() of every profile ...
//   expand(configuration, implements);          // an EffectiveProfile for every profile

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config.h"

namespace berth::config {

// Is there a plugin of this name?
using Available = std::function<bool(std::string_view plugin)>;

// Does the plugin implement the extension point? Asked only for plugins that are enabled.
using Implements = std::function<bool(std::string_view plugin, Point point)>;

// The configuration itself names plugins that are not there.
class MissingPlugins : public InvalidConfiguration {
 public:
  // One fault per name, in the same order. One name at least.
  MissingPlugins(std::vector<std::string> names, std::vector<Error> faults);

  const std::vector<std::string>& names() const { return names_; }  // each once

 private:
  std::vector<std::string> names_;
};

// Removes the default plugins that are not available from all profiles and returns their names,
// each once, in the order of the defaults. A default plugin that multiPoint names counts as a
// default one, because a dump of a configuration lists them there. Arguments of removed plugins are
// added to `without_effect`. Any other plugin that is enabled and not available throws
// MissingPlugins and leaves the configuration as it was. Naming a plugin only to disable it, or
// only in `pluginConfig`, is no fault.
std::vector<std::string> drop_missing(Configuration& configuration, const Available& available);

// The same for one profile alone.
std::vector<std::string> drop_missing(Profile& profile, const Available& available);

// The entry of Configuration::without_effect for arguments of a plugin that is, say, "not enabled".
std::string args_without_effect(const Profile& profile, size_t entry, std::string_view reason);

// Every plugin that the profile enables anywhere, each once: those that have to be loaded and
// initialised. In the order of multiPoint, then of the points. That includes plugins that are
// disabled again at each of their points.
std::vector<std::string> enabled_plugins(const Profile& profile);

struct EffectivePlugin {
  std::string name;
  int32_t weight =
      0;  // at kScore: never 0, and negative where the configuration says so; elsewhere 0

  bool operator==(const EffectivePlugin&) const = default;
};

struct EffectiveProfile {
  std::string scheduler_name;
  std::array<std::vector<EffectivePlugin>, kPointCount>
      points;  // by point_index(), in order of call

  const std::vector<EffectivePlugin>& at(Point point) const { return points[point_index(point)]; }
};

// Expands a profile by kube-scheduler's rules. At each point come, in this order:
// 1. plugins enabled both there and in multiPoint, in the order that they have there,
// 2. plugins of multiPoint that implement the point and are not disabled there,
// 3. the other plugins enabled there.
// "*" in the point's disabled list leaves only what is enabled there. The weight of a score plugin
// is the one at `score` if it is enabled there, else that of multiPoint; not set means
// 1, or for a few what kube-scheduler gave them. Throws
// InvalidConfiguration: a plugin enabled at a point that it does not implement, a plugin enabled
// twice, not exactly one plugin at queueSort, none at bind, weights whose total could overflow.
EffectiveProfile expand(const Profile& profile, const Implements& implements);

// Expands every profile, in order. Besides, all must have the same queueSort plugin with equal
// arguments.
std::vector<EffectiveProfile> expand(const Configuration& configuration,
                                     const Implements& implements);

}  // namespace berth::config
