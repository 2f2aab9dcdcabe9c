#pragma once

// The default plugins of kube-scheduler and its former plugins. No other file of the engine knows
// plugin names, but for the table of what former configurations named (versions/former_names.cc).

#include <optional>
#include <span>
#include <string_view>

#include "engine/config/config.h"
#include "engine/config/versions/version.h"

namespace berth::config {

// The plugin that checks a node's resources; its argument ignoredResources names those it does not.
extern const std::string_view kResourcesPlugin;

// The `multiPoint` set that every profile starts from: the order and weights of kube-scheduler
// v1.34.1 or v1.36.2 for v1 with the features that are on by default (DynamicResourceAllocation
// among them) and those of the rules, of v1.28 for v1beta3. Empty for v1beta2, whose defaults are
// default_set(). Every entry is from_default.
PluginSet default_multi_point(Version version, const Rules& rules);

// The set of one point that every profile starts from: that of kube-scheduler v1.27 for v1beta2,
// and empty for the other versions.
PluginSet default_set(Version version, Point point);

// True for a default plugin of any version, by its name in configurations.
bool is_default_plugin(std::string_view plugin);

// True for a point of a default plugin that kube-scheduler's plugin of that name has not by these
// rules. It is an error to enable the plugin there.
bool lacks_point(std::string_view plugin, Point point, const Rules& rules);

// The arguments that a default plugin has without configuration, as a JSON object without
// apiVersion and kind; nothing for a plugin without arguments. Equal in all versions, but for
// gated_arguments().
std::optional<std::string_view> default_args(std::string_view plugin);

// An argument of a default plugin that a rule brings: without the rule it is an error, with it the
// argument has a default.
struct GatedArgument {
  std::string_view plugin;
  std::string_view name;  // of the argument
  Rule rule;
  std::string_view json;  // the default; a default list also stands for an empty list
};
std::span<const GatedArgument> gated_arguments();

// True for an argument of a default plugin that is checked and has no effect here.
bool is_argument_without_effect(std::string_view plugin, std::string_view argument);

// True for a plugin that extends the point of PlacementPoint in kube-scheduler, which never calls
// it: groups of pods are behind gates that are off.
bool is_placement_plugin(std::string_view plugin, PlacementPoint point);

// True for a default plugin with arguments: `<name>Args` is a kind of
// kubescheduler.config.k8s.io/v1.
bool has_args_kind(std::string_view plugin);

// True for a plugin of kube-scheduler, current or former, that is part of this program. Former
// plugins are off by default.
bool is_kubes_plugin(std::string_view plugin);

// The weight of a score plugin that is enabled without one: 1, except for some former plugins.
int32_t weight_if_not_given(std::string_view plugin);

// The text of a message that names the replacement which v1 has for a former plugin. Nothing if
// there is none, or the name is not that of a former plugin.
std::optional<std::string_view> replacement_of(std::string_view plugin);

// True if kube-scheduler's validation refuses to enable or configure the plugin, regardless of who
// provides one of that name.
bool is_forbidden_plugin(std::string_view plugin);

}  // namespace berth::config
