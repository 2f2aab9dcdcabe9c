#include <string>
#include <unordered_set>
#include <utility>

#include "engine/config/effective.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/profiles/equal.h"
#include "engine/config/profiles/score_weights.h"
#include "engine/config/read/faults.h"

namespace berth::config {
namespace {

using Names = std::unordered_set<std::string_view>;

Names names_of(const std::vector<PluginRef>& plugins) {
  Names names;
  for (const PluginRef& plugin : plugins) names.insert(plugin.name);
  return names;
}

// The type of the point's plugins in kube-scheduler's messages: "PreFilterPlugin".
std::string plugin_type(Point point) { return std::string(point_name(point)) + "Plugin"; }

// Expands one profile. Collects errors in `faults`.
class Expansion {
 public:
  Expansion(const Profile& profile, const Implements& implements, Faults& faults)
      : profile_(profile), implements_(implements), faults_(faults) {}

  EffectiveProfile run() {
    EffectiveProfile result;
    result.scheduler_name = profile_.scheduler_name;
    for (const Point point : kConfiguredPoints) {
      check_explicit(point);
      for (const std::string_view name : expand_point(point)) {
        result.plugins[point].push_back({.name = std::string(name)});
      }
    }
    check_placement();
    check_required(result);
    set_weights(result);
    return result;
  }

 private:
  void already_registered(const PluginRef& plugin, Point point) {
    faults_.add(plugin.place, "plugin " + quoted(plugin.name) + " already registered as " +
                                  quoted(plugin_type(point)));
  }

  // Plugins enabled at the point itself must implement it and be there once.
  void check_explicit(Point point) {
    Names known;
    for (const PluginRef& plugin : profile_.points[point].enabled) {
      if (!implements_(plugin.name, point)) {
        faults_.add(plugin.place, "plugin " + quoted(plugin.name) + " does not extend " +
                                      plugin_type(point) + " plugin");
      } else if (!known.insert(plugin.name).second) {
        already_registered(plugin, point);
      }
    }
  }

  // No plugin here implements such a point.
  void check_placement() {
    for (const PlacementPointInfo& info : kPlacementPoints)
      for (const PluginRef& plugin : profile_.placement[index_of(info.point)].enabled)
        faults_.add(plugin.place, "plugin " + quoted(plugin.name) + " does not extend " +
                                      std::string(info.type) + " plugin");
  }

  std::vector<std::string_view> expand_point(Point point) {
    const PluginSet& set = profile_.points[point];
    const Names enabled_here = names_of(set.enabled);
    Names in_both;
    std::vector<std::string_view> from_multi_point;
    const Names disabled = names_of(set.disabled);
    if (!disabled.contains("*")) {
      Names known;
      for (const PluginRef& plugin : profile_.multi_point.enabled) {
        if (!implements_(plugin.name, point) || disabled.contains(plugin.name)) continue;
        if (enabled_here.contains(plugin.name)) {
          in_both.insert(plugin.name);
        } else if (known.insert(plugin.name).second) {
          from_multi_point.push_back(plugin.name);
        } else if (doubled_.insert(&plugin)
                       .second) {  // report once, not per point that it implements
          already_registered(plugin, point);
        }
      }
    }

    std::vector<std::string_view> plugins;
    for (const PluginRef& plugin : set.enabled) {
      if (in_both.contains(plugin.name)) plugins.push_back(plugin.name);
    }
    plugins.insert(plugins.end(), from_multi_point.begin(), from_multi_point.end());
    for (const PluginRef& plugin : set.enabled) {
      if (!in_both.contains(plugin.name)) plugins.push_back(plugin.name);
    }
    return plugins;
  }

  void check_required(const EffectiveProfile& result) {
    const size_t queue_sorts = result.plugins[Point::kQueueSort].size();
    if (queue_sorts != 1) {
      faults_.add(profile_.place,
                  "only one queue sort plugin required for profile with scheduler name " +
                      quoted(profile_.scheduler_name) + ", but got " + std::to_string(queue_sorts));
    }
    if (result.plugins[Point::kBind].empty()) {
      faults_.add(profile_.place,
                  "at least one bind plugin is needed for profile with scheduler name " +
                      quoted(profile_.scheduler_name));
    }
  }

  void set_weights(EffectiveProfile& result) {
    const ScoreWeights weights = score_weights(profile_, implements_);
    if (weights.overflow) {
      faults_.add(profile_.place, "total score of Score plugins could overflow");
      return;
    }
    for (PluginAt& plugin : result.plugins[Point::kScore]) {
      // A plugin that does not implement the point has no weight and has been reported already.
      const auto found = weights.by_name.find(plugin.name);
      if (found != weights.by_name.end()) plugin.weight = found->second;
    }
  }

  const Profile& profile_;
  const Implements& implements_;
  Faults& faults_;
  std::unordered_set<const PluginRef*> doubled_;
};

document::Value args_of(const Profile& profile, std::string_view plugin) {
  const PluginArgs* args = profile.args_of(plugin);
  return args == nullptr ? document::Value() : args->args;
}

// All profiles share one queue, so they must sort it in the same way.
void check_queue_sort(const Configuration& configuration,
                      const std::vector<EffectiveProfile>& profiles, Faults& faults) {
  const std::string& first = profiles.front().plugins[Point::kQueueSort].front().name;
  for (size_t i = 1; i < profiles.size(); ++i) {
    const Profile& profile = configuration.profiles[i];
    const std::string& own = profiles[i].plugins[Point::kQueueSort].front().name;
    if (own != first) {
      faults.add(profile.place, "different queue sort plugins for profile " +
                                    quoted(profile.scheduler_name) + ": " + quoted(own) +
                                    ", first: " + quoted(first));
    } else if (!equal(args_of(profile, own), args_of(configuration.profiles.front(), first))) {
      faults.add(profile.place,
                 "different queue sort plugin args for profile " + quoted(profile.scheduler_name));
    }
  }
}

}  // namespace

EffectiveProfile expand(const Profile& profile, const Implements& implements) {
  Faults faults;
  EffectiveProfile result = Expansion(profile, implements, faults).run();
  faults.throw_if_any();
  return result;
}

std::vector<EffectiveProfile> expand(const Configuration& configuration,
                                     const Implements& implements) {
  Faults faults;
  std::vector<EffectiveProfile> profiles;
  const Implements by_rules = [&](std::string_view plugin, Point point) {
    return implements(plugin, point) && !lacks_point(plugin, point, configuration.rules);
  };
  for (const Profile& profile : configuration.profiles) {
    profiles.push_back(Expansion(profile, by_rules, faults).run());
  }
  faults.throw_if_any();
  check_queue_sort(configuration, profiles, faults);
  faults.throw_if_any();
  return profiles;
}

}  // namespace berth::config
