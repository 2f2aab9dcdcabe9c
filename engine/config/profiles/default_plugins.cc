#include "engine/config/profiles/default_plugins.h"

#include <algorithm>
#include <span>

namespace berth::config {

const std::string_view kResourcesPlugin = "NodeResourcesFit";

namespace {

struct DefaultPlugin {
  std::string_view name;
  int32_t weight = 0;            // 0: not set
  std::optional<Rule> weighs{};  // the rule that brings the weight; nothing: all versions have it
  std::optional<Rule> rule{};    // the rule that brings the plugin; nothing: as above
};

// Of kube-scheduler v1.34.1 and v1.36.2.
constexpr DefaultPlugin kV1[] = {
    {"SchedulingGates"},
    {"PrioritySort"},
    {"NodeUnschedulable"},
    {"NodeName"},
    {"TaintToleration", 3},
    {"NodeAffinity", 2},
    {"NodePorts"},
    {"NodeResourcesFit", 1},
    {"VolumeRestrictions"},
    {"NodeVolumeLimits"},
    {"VolumeBinding"},
    {"VolumeZone"},
    {"PodTopologySpread", 2},
    {"InterPodAffinity", 2},
    // Before DefaultPreemption: freeing an idle claim is better than evicting a running pod.
    {"DynamicResources", 2, Rule::kClaimsScore},
    {"DefaultPreemption"},
    {"NodeResourcesBalancedAllocation", 1},
    {"ImageLocality", 1},
    {"DefaultBinder"},
    {"NodeDeclaredFeatures", 0, {}, Rule::kDeclaredFeatures},
};

// Of v1.28.
constexpr DefaultPlugin kV1Beta3[] = {
    {"PrioritySort"},        {"NodeUnschedulable"},  {"NodeName"},
    {"TaintToleration", 3},  {"NodeAffinity", 2},    {"NodePorts"},
    {"NodeResourcesFit", 1}, {"VolumeRestrictions"}, {"EBSLimits"},
    {"GCEPDLimits"},         {"NodeVolumeLimits"},   {"AzureDiskLimits"},
    {"VolumeBinding"},       {"VolumeZone"},         {"PodTopologySpread", 2},
    {"InterPodAffinity", 2}, {"DefaultPreemption"},  {"NodeResourcesBalancedAllocation", 1},
    {"ImageLocality", 1},    {"DefaultBinder"},      {"SchedulingGates"},
};

// Of v1.27, by point.
struct DefaultAtPoint {
  Point point;
  DefaultPlugin plugin;
};

constexpr DefaultAtPoint kV1Beta2[] = {
    {Point::kPreEnqueue, {"SchedulingGates"}},
    {Point::kQueueSort, {"PrioritySort"}},
    {Point::kPreFilter, {"NodeResourcesFit"}},
    {Point::kPreFilter, {"NodePorts"}},
    {Point::kPreFilter, {"VolumeRestrictions"}},
    {Point::kPreFilter, {"PodTopologySpread"}},
    {Point::kPreFilter, {"InterPodAffinity"}},
    {Point::kPreFilter, {"VolumeBinding"}},
    {Point::kPreFilter, {"VolumeZone"}},
    {Point::kPreFilter, {"NodeAffinity"}},
    {Point::kFilter, {"NodeUnschedulable"}},
    {Point::kFilter, {"NodeName"}},
    {Point::kFilter, {"TaintToleration"}},
    {Point::kFilter, {"NodeAffinity"}},
    {Point::kFilter, {"NodePorts"}},
    {Point::kFilter, {"NodeResourcesFit"}},
    {Point::kFilter, {"VolumeRestrictions"}},
    {Point::kFilter, {"EBSLimits"}},
    {Point::kFilter, {"GCEPDLimits"}},
    {Point::kFilter, {"NodeVolumeLimits"}},
    {Point::kFilter, {"AzureDiskLimits"}},
    {Point::kFilter, {"VolumeBinding"}},
    {Point::kFilter, {"VolumeZone"}},
    {Point::kFilter, {"PodTopologySpread"}},
    {Point::kFilter, {"InterPodAffinity"}},
    {Point::kPostFilter, {"DefaultPreemption"}},
    {Point::kPreScore, {"InterPodAffinity"}},
    {Point::kPreScore, {"PodTopologySpread"}},
    {Point::kPreScore, {"TaintToleration"}},
    {Point::kPreScore, {"NodeAffinity"}},
    {Point::kPreScore, {"NodeResourcesFit"}},
    {Point::kPreScore, {"NodeResourcesBalancedAllocation"}},
    {Point::kScore, {"NodeResourcesBalancedAllocation", 1}},
    {Point::kScore, {"ImageLocality", 1}},
    {Point::kScore, {"InterPodAffinity", 1}},
    {Point::kScore, {"NodeResourcesFit", 1}},
    {Point::kScore, {"NodeAffinity", 1}},
    {Point::kScore, {"PodTopologySpread", 2}},
    {Point::kScore, {"TaintToleration", 1}},
    {Point::kReserve, {"VolumeBinding"}},
    {Point::kPreBind, {"VolumeBinding"}},
    {Point::kBind, {"DefaultBinder"}},
};

// Default plugins with arguments, and what these are by default.
struct Arguments {
  std::string_view plugin;
  std::string_view json;
};

constexpr Arguments kArguments[] = {
    {"NodeAffinity", "{}"},
    {"NodeResourcesFit",
     "{\"scoringStrategy\":{\"type\":\"LeastAllocated\","
     R"("resources":[{"name":"cpu","weight":1},)"
     R"({"name":"memory","weight":1}]}})"},
    {"VolumeBinding", R"({"bindTimeoutSeconds":600})"},
    {"PodTopologySpread", R"({"defaultingType":"System"})"},
    {"InterPodAffinity",
     R"({"hardPodAffinityWeight":1,"ignorePreferredTermsOfExistingPods":false})"},
    {"DynamicResources", R"({"filterTimeout":"10s"})"},
    {"DefaultPreemption", R"({"minCandidateNodesPercentage":10,"minCandidateNodesAbsolute":100})"},
    {"NodeResourcesBalancedAllocation",
     R"({"resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}]})"},
};

struct PointOfRule {
  std::string_view plugin;
  Point point;
  Rule rule;  // without which the plugin has not this point
};

constexpr PointOfRule kPointsOfRules[] = {
    {"DynamicResources", Point::kScore, Rule::kClaimsScore},
};

struct PlacementPlugin {
  std::string_view name;
  PlacementPoint point;
};

constexpr PlacementPlugin kPlacementPlugins[] = {
    {"TopologyPlacementGenerator", PlacementPoint::kGenerate},
    {"PodGroupPodsCount", PlacementPoint::kScore},
};

constexpr GatedArgument kGatedArguments[] = {
    {"DynamicResources", "bindingTimeout", Rule::kBindingTimeout, R"("10m0s")"},
    {"VolumeBinding", "shape", Rule::kStorageScore,
     R"([{"utilization":0,"score":10},{"utilization":100,"score":0}])"},
};

// Former plugins of kube-scheduler that are available to configurations that enable them.
struct OptionalPlugin {
  std::string_view name;
  int32_t weight;  // for a configuration that sets none
};

constexpr OptionalPlugin kOptionalPlugins[] = {
    {"SelectorSpread", 1},
    {"NodePreferAvoidPods", 10000},
};

struct FormerPlugin {
  std::string_view name;
  std::string_view replacement;
  bool forbidden;  // by kube-scheduler's own validation of v1
};

constexpr FormerPlugin kFormerPlugins[] = {
    {"AzureDiskLimits", "NodeVolumeLimits", true},
    {"CinderLimits", "NodeVolumeLimits", true},
    {"EBSLimits", "NodeVolumeLimits", true},
    {"GCEPDLimits", "NodeVolumeLimits", true},
    {"RequestedToCapacityRatio", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeResourcesLeastAllocated", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeResourcesMostAllocated", "the scoringStrategy of NodeResourcesFit", false},
    {"NodeLabel", "NodeAffinity", false},
    {"ServiceAffinity", "InterPodAffinity", false},
    {"DefaultPodTopologySpread", "PodTopologySpread", false},
};

const FormerPlugin* find_former(std::string_view plugin) {
  const auto found = std::ranges::find(kFormerPlugins, plugin, &FormerPlugin::name);
  return found == std::end(kFormerPlugins) ? nullptr : found;
}

void add_default(const DefaultPlugin& plugin, const Rules& rules, PluginSet& set) {
  const bool weighs = !plugin.weighs || rules.has(*plugin.weighs);
  set.enabled.push_back({.name = std::string(plugin.name),
                         .weight = weighs ? plugin.weight : 0,
                         .from_default = true,
                         .place = {}});
}

void add_defaults(std::span<const DefaultPlugin> plugins, const Rules& rules, PluginSet& set) {
  for (const DefaultPlugin& plugin : plugins)
    if (!plugin.rule || rules.has(*plugin.rule)) add_default(plugin, rules, set);
}

}  // namespace

PluginSet default_multi_point(Version version, const Rules& rules) {
  PluginSet set;
  if (version == Version::kV1Beta3) add_defaults(kV1Beta3, rules, set);
  if (version == Version::kV1) add_defaults(kV1, rules, set);
  return set;
}

PluginSet default_set(Version version, Point point) {
  PluginSet set;
  if (version != Version::kV1Beta2) return set;
  for (const DefaultAtPoint& at : kV1Beta2)
    if (at.point == point) add_default(at.plugin, Rules(), set);
  return set;
}

bool is_default_plugin(std::string_view plugin) {
  const auto names_it = [plugin](const DefaultPlugin& candidate) {
    return candidate.name == plugin;
  };
  return std::ranges::any_of(kV1, names_it) || std::ranges::any_of(kV1Beta3, names_it) ||
         std::ranges::any_of(kV1Beta2, names_it, &DefaultAtPoint::plugin);
}

std::optional<std::string_view> default_args(std::string_view plugin) {
  const auto found = std::ranges::find(kArguments, plugin, &Arguments::plugin);
  return found == std::end(kArguments) ? std::nullopt : std::optional(found->json);
}

bool lacks_point(std::string_view plugin, Point point, const Rules& rules) {
  return std::ranges::any_of(kPointsOfRules, [&](const PointOfRule& one) {
    return one.plugin == plugin && one.point == point && !rules.has(one.rule);
  });
}

bool is_argument_without_effect(std::string_view plugin, std::string_view argument) {
  return plugin == "DynamicResources" &&
         (argument == "filterTimeout" || argument == "bindingTimeout");
}

bool is_placement_plugin(std::string_view plugin, PlacementPoint point) {
  return std::ranges::any_of(kPlacementPlugins, [&](const PlacementPlugin& one) {
    return one.name == plugin && one.point == point;
  });
}

std::span<const GatedArgument> gated_arguments() { return kGatedArguments; }

bool has_args_kind(std::string_view plugin) { return default_args(plugin).has_value(); }

bool is_kubes_plugin(std::string_view plugin) {
  const auto has_name = [plugin](const auto& candidate) { return candidate.name == plugin; };
  return std::ranges::any_of(kV1, has_name) || std::ranges::any_of(kOptionalPlugins, has_name);
}

int32_t weight_if_not_given(std::string_view plugin) {
  const auto found = std::ranges::find(kOptionalPlugins, plugin, &OptionalPlugin::name);
  return found == std::end(kOptionalPlugins) ? 1 : found->weight;
}

std::optional<std::string_view> replacement_of(std::string_view plugin) {
  const FormerPlugin* former = find_former(plugin);
  return former == nullptr ? std::nullopt : std::optional(former->replacement);
}

bool is_forbidden_plugin(std::string_view plugin) {
  const FormerPlugin* former = find_former(plugin);
  return former != nullptr && former->forbidden;
}

}  // namespace berth::config
