// Properties of merging and expanding on random profiles, each checked against one rule alone.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "engine/config/profiles/merge.h"
#include "engine/config/testing.h"

namespace berth::config {
namespace {

// Plugins p0 to p7. Bit `point` of a plugin's mask says whether it implements the point.
constexpr int kPlugins = 8;

std::string plugin(int i) { return "p" + std::to_string(i); }

// Some of the plugins in random order; with `all`, sometimes also "*".
std::vector<PluginRef> some_plugins(bool all) {
  std::vector<std::pair<int, int>> order;  // a positive rank selects the plugin
  for (int i = 0; i < kPlugins; ++i) order.emplace_back(*rc::gen::inRange(-9, 10), i);
  std::ranges::sort(order);
  std::vector<PluginRef> plugins;
  for (const auto& [rank, i] : order) {
    if (rank <= 0) continue;
    plugins.push_back({.name = plugin(i), .weight = *rc::gen::inRange(0, 4), .place = {}});
  }
  if (all && *rc::gen::inRange(0, 8) == 0) plugins.push_back({.name = "*", .place = {}});
  return plugins;
}

struct Input {
  Profile profile;
  std::map<std::string, unsigned, std::less<>> masks;

  bool implements(std::string_view name, Point point) const {
    return (masks.find(name)->second >> point_index(point) & 1) != 0;
  }
};

// Only plugins that implement a point are enabled there. One queueSort and one bind plugin are
// added.
Input any_input() {
  Input input;
  const unsigned free = (1u << kPointCount) - 1 - (1u << point_index(Point::kQueueSort));
  for (int i = 0; i < kPlugins; ++i) {
    input.masks[plugin(i)] = static_cast<unsigned>(*rc::gen::inRange(0, 1 << kPointCount)) & free;
  }
  input.masks["sort"] = 1u << point_index(Point::kQueueSort);
  input.masks["bind"] = 1u << point_index(Point::kBind);
  input.profile.scheduler_name = "any";
  input.profile.multi_point.enabled = some_plugins(false);
  for (const Point point : kConfiguredPoints) {
    PluginSet& set = input.profile.points[point];
    set = {.enabled = some_plugins(false), .disabled = some_plugins(true)};
    std::erase_if(set.enabled,
                  [&](const PluginRef& ref) { return !input.implements(ref.name, point); });
  }
  input.profile.points[Point::kQueueSort].enabled = {{.name = "sort", .place = {}}};
  input.profile.points[Point::kBind].enabled.push_back({.name = "bind", .place = {}});
  return input;
}

bool holds(const std::vector<PluginRef>& plugins, std::string_view name) {
  return std::ranges::find(plugins, name, &PluginRef::name) != plugins.end();
}

RC_GTEST_PROP(ExpandProperty, APluginRunsWhereTheRulesSay, ()) {
  const Input input = any_input();
  const auto implements = [&](std::string_view name, Point p) { return input.implements(name, p); };
  const EffectiveProfile result = expand(input.profile, implements);
  for (const Point point : kConfiguredPoints) {
    const PluginSet& set = input.profile.points[point];
    for (const auto& [name, mask] : input.masks) {
      const bool by_multi_point = holds(input.profile.multi_point.enabled, name) &&
                                  input.implements(name, point) && !holds(set.disabled, name) &&
                                  !holds(set.disabled, "*");
      const auto runs = std::ranges::count(result.plugins[point], name, &PluginAt::name);
      RC_ASSERT(runs == (by_multi_point || holds(set.enabled, name) ? 1 : 0));
    }
  }
}

RC_GTEST_PROP(ExpandProperty, OrderIsThatOfTheThreeParts, ()) {
  const Input input = any_input();
  const auto implements = [&](std::string_view name, Point p) { return input.implements(name, p); };
  const EffectiveProfile result = expand(input.profile, implements);
  for (const Point point : kConfiguredPoints) {
    const PluginSet& set = input.profile.points[point];
    // The part that a plugin belongs to, and its index in the list that determines the part's
    // order.
    const auto key = [&](const PluginAt& plugin_at) {
      const bool multi = holds(input.profile.multi_point.enabled, plugin_at.name) &&
                         !holds(set.disabled, plugin_at.name) && !holds(set.disabled, "*");
      const bool own = holds(set.enabled, plugin_at.name);
      const auto& list = own ? set.enabled : input.profile.multi_point.enabled;
      const auto place = std::ranges::find(list, plugin_at.name, &PluginRef::name) - list.begin();
      return std::pair(own ? (multi ? 1 : 3) : 2, place);
    };
    RC_ASSERT(std::ranges::is_sorted(result.plugins[point], {}, key));
  }
}

RC_GTEST_PROP(ExpandProperty, OnlyScoresHaveWeightsAndNoneIsZero, ()) {
  const Input input = any_input();
  const auto implements = [&](std::string_view name, Point p) { return input.implements(name, p); };
  const EffectiveProfile result = expand(input.profile, implements);
  for (const Point point : kConfiguredPoints) {
    for (const PluginAt& plugin_at : result.plugins[point]) {
      RC_ASSERT((plugin_at.weight != 0) == (point == Point::kScore));
    }
  }
}

RC_GTEST_PROP(MergeProperty, EveryConfiguredEntryStaysAndDefaultsKeepTheirOrder, ()) {
  const PluginSet defaults = {.enabled = some_plugins(false), .disabled = {}};
  const PluginSet configured = {.enabled = some_plugins(false), .disabled = some_plugins(true)};
  const PluginSet merged = merge_plugin_set(defaults, configured);
  std::set<std::string> expected;
  for (const PluginRef& ref : configured.enabled) expected.insert(ref.name);
  for (const PluginRef& ref : defaults.enabled) {
    if (!holds(configured.disabled, ref.name) && !holds(configured.disabled, "*")) {
      expected.insert(ref.name);
    }
  }
  RC_ASSERT(merged.enabled.size() == expected.size());
  for (const PluginRef& ref : merged.enabled) RC_ASSERT(expected.contains(ref.name));
  for (const PluginRef& ref : configured.enabled) {
    const auto found = std::ranges::find(merged.enabled, ref.name, &PluginRef::name);
    RC_ASSERT(found != merged.enabled.end() && found->weight == ref.weight);
  }
}

}  // namespace
}  // namespace berth::config
